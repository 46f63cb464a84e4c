-- The checkpoints of each tenant in the order in which they were written: a page of them costs the page. Kept by triggers,
-- so that a binary of the schema before, which knows nothing of it, keeps it too.
CREATE TABLE tenant_checkpoint (
  tenant_id TEXT NOT NULL,
  checkpoint_row INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, checkpoint_row)
) STRICT, WITHOUT ROWID;
INSERT INTO tenant_checkpoint (tenant_id, checkpoint_row)
SELECT t.tenant_id, c.id FROM thread t JOIN checkpoint c ON c.thread_id = t.id WHERE t.tenant_id <> '';

CREATE TRIGGER tenant_checkpoint_written AFTER INSERT ON checkpoint BEGIN
  INSERT INTO tenant_checkpoint (tenant_id, checkpoint_row)
  SELECT tenant_id, NEW.id FROM thread WHERE id = NEW.thread_id AND tenant_id <> '';
END;
CREATE TRIGGER tenant_checkpoint_attributed AFTER UPDATE OF tenant_id ON thread WHEN OLD.tenant_id <> NEW.tenant_id BEGIN
  DELETE FROM tenant_checkpoint WHERE tenant_id = OLD.tenant_id
    AND checkpoint_row IN (SELECT id FROM checkpoint WHERE thread_id = NEW.id);
  INSERT INTO tenant_checkpoint (tenant_id, checkpoint_row)
  SELECT NEW.tenant_id, id FROM checkpoint WHERE thread_id = NEW.id AND NEW.tenant_id <> '';
END;
CREATE TRIGGER tenant_checkpoint_erased AFTER DELETE ON checkpoint BEGIN
  DELETE FROM tenant_checkpoint WHERE checkpoint_row = OLD.id
    AND tenant_id = (SELECT tenant_id FROM thread WHERE id = OLD.thread_id);
END;

-- The threads whose key proves no tenant: every hold that names a tenant asks for them.
CREATE INDEX thread_unproved ON thread (id) WHERE minted = 0 AND tenant_id = '';

-- Up to which thread a hold has counted heads: a large store is counted in several transactions while the hold is closing.
ALTER TABLE drain ADD COLUMN counted_to INTEGER NOT NULL DEFAULT 0;
