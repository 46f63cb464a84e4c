-- The drain of a hold that is not thawed: what came into its scope since, and what has been erased of it.
CREATE TABLE drain (
  hold_id INTEGER PRIMARY KEY REFERENCES freeze_hold (id),
  adopted_since INTEGER NOT NULL DEFAULT 0,
  erased INTEGER NOT NULL DEFAULT 0,
  erased_drained INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1
) STRICT;

-- The heads that a hold has counted. 'unproved': of a key that proves no tenant, so it might belong to the hold's. Gone with the thaw.
CREATE TABLE drain_artifact (
  hold_id INTEGER NOT NULL REFERENCES drain (hold_id),
  checkpoint_row INTEGER NOT NULL,
  counted TEXT NOT NULL CHECK (counted IN ('at_freeze', 'since', 'unproved')),
  PRIMARY KEY (hold_id, checkpoint_row)
) STRICT, WITHOUT ROWID;

-- Whether a replay can move a checkpoint, judged by these terms: the leaf that speaks against it, or ''. At most one row a checkpoint.
CREATE TABLE drain_verdict (
  checkpoint_row INTEGER PRIMARY KEY,
  terms TEXT NOT NULL,
  leaf TEXT NOT NULL
) STRICT;

-- A restored store has had a hold before there were drains.
INSERT INTO drain (hold_id) SELECT id FROM freeze_hold WHERE state <> 'thawed';
INSERT INTO drain_artifact (hold_id, checkpoint_row, counted)
SELECT h.id, c.id, 'at_freeze'
FROM freeze_hold h JOIN thread t JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence
WHERE h.state <> 'thawed' AND h.scope_kind = 'store';
UPDATE freeze_hold SET at_freeze = (SELECT count(*) FROM drain_artifact a WHERE a.hold_id = freeze_hold.id)
WHERE state <> 'thawed';
