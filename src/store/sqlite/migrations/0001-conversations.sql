-- One row: what this store is, and what may write to it.
CREATE TABLE store_meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  store_id TEXT NOT NULL,
  incarnation TEXT NOT NULL,
  separator TEXT NOT NULL,
  schema INTEGER NOT NULL,
  min_binary INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  sealed_for TEXT,
  create_time INTEGER NOT NULL
) STRICT;

-- Which migration ran, with the digest of its text.
CREATE TABLE migration (
  number INTEGER PRIMARY KEY,
  digest TEXT NOT NULL,
  apply_time INTEGER NOT NULL
) STRICT;

-- Derived from the unreleased holds: the state of a scope that is not open. The scope is text, never a number.
CREATE TABLE gate (
  scope TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('closing', 'frozen'))
) STRICT;

-- One operator's freeze. Never deleted: a late retry of a thawed freeze must be told so.
CREATE TABLE freeze_hold (
  id INTEGER PRIMARY KEY,
  freeze_id TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL,
  scope_kind TEXT NOT NULL CHECK (scope_kind IN ('store', 'format', 'tenant', 'tenant_format')),
  tenant_id TEXT NOT NULL,
  format TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('closing', 'frozen', 'thawed')),
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  create_time INTEGER NOT NULL,
  freeze_time INTEGER,
  epoch INTEGER,
  at_freeze INTEGER,
  thaw_time INTEGER,
  thaw_actor TEXT,
  thaw_reason TEXT
) STRICT;
CREATE INDEX freeze_hold_active ON freeze_hold (id) WHERE state <> 'thawed';

-- Identity lives in columns; '' is absent. minted: the identity was proved when the thread began, so its digests cover it.
-- Neither minted nor of a tenant: quarantined. A tenant that is not minted was attributed by an operator.
CREATE TABLE thread (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_key TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  sub_tenant_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  minted INTEGER NOT NULL CHECK (minted IN (0, 1)),
  head_checkpoint_id TEXT NOT NULL,
  head_sequence INTEGER NOT NULL,
  create_time INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX thread_identity ON thread (tenant_id, sub_tenant_id, session_id) WHERE session_id <> '';
CREATE INDEX thread_tenant ON thread (tenant_id, id) WHERE tenant_id <> '';

-- Everything but state, chunks, pruned_at and pinned is covered by the digest and never changes.
CREATE TABLE checkpoint (
  id INTEGER PRIMARY KEY,
  checkpoint_id TEXT NOT NULL UNIQUE,
  thread_id INTEGER NOT NULL REFERENCES thread (id),
  sequence INTEGER NOT NULL,
  parent_checkpoint_id TEXT,
  source_checkpoint_id TEXT UNIQUE REFERENCES checkpoint (checkpoint_id),
  envelope_version INTEGER NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('issued', 'replayed', 'adopted')),
  create_time INTEGER NOT NULL,
  written_time INTEGER,
  host_runtime TEXT NOT NULL,
  host_version TEXT NOT NULL,
  host_model TEXT NOT NULL,
  format TEXT NOT NULL,
  boundary_kind INTEGER NOT NULL,
  boundary_proof TEXT NOT NULL,
  boundary_entries INTEGER NOT NULL,
  claimed_proof TEXT,
  payload_kind TEXT NOT NULL CHECK (payload_kind IN ('text', 'binary')),
  payload_length INTEGER NOT NULL,
  payload_digest BLOB NOT NULL,
  digest BLOB NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'retired', 'discarded')),
  chunks BLOB NOT NULL,
  pruned_at INTEGER,
  pinned INTEGER NOT NULL DEFAULT 0,
  UNIQUE (thread_id, sequence)
) STRICT;
CREATE INDEX checkpoint_format ON checkpoint (format, id);
CREATE INDEX checkpoint_unpruned ON checkpoint (thread_id, sequence) WHERE pruned_at IS NULL;
CREATE INDEX checkpoint_safe ON checkpoint (thread_id, sequence) WHERE boundary_kind <> 0;

-- A thread stores each chunk once; chunks are never shared between threads.
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread (id),
  digest BLOB NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (thread_id, digest)
) STRICT;

-- The first answer of a write, for seven days. mid_frame is what the answer said beside the checkpoint's own facts.
CREATE TABLE idempotency (
  thread_id INTEGER NOT NULL REFERENCES thread (id),
  key TEXT NOT NULL,
  body BLOB NOT NULL,
  checkpoint_id TEXT NOT NULL,
  mid_frame BLOB,
  create_time INTEGER NOT NULL,
  PRIMARY KEY (thread_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (create_time);

-- When an entry of a thread was first held by a checkpoint. No time: it was adopted without one.
CREATE TABLE entry_seen (
  thread_id INTEGER NOT NULL REFERENCES thread (id),
  entry BLOB NOT NULL,
  repeat INTEGER NOT NULL,
  seen_time INTEGER,
  PRIMARY KEY (thread_id, entry, repeat)
) STRICT, WITHOUT ROWID;

-- A key that came without identity: its bytes, and how it would read by position. It names no tenant to anybody.
CREATE TABLE legacy_key (
  thread_id INTEGER PRIMARY KEY REFERENCES thread (id),
  raw BLOB NOT NULL,
  derivation TEXT NOT NULL,
  separators_found INTEGER NOT NULL,
  separators_expected INTEGER NOT NULL,
  tenant_id TEXT NOT NULL,
  sub_tenant_id TEXT NOT NULL,
  session_id TEXT NOT NULL
) STRICT;

-- An operator's record of who owns a quarantined key. Append-only; the newest of a thread holds.
CREATE TABLE attribution (
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES thread (id),
  tenant_id TEXT NOT NULL,
  sub_tenant_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  ticket TEXT NOT NULL,
  supersedes TEXT NOT NULL,
  create_time INTEGER NOT NULL
) STRICT;
CREATE INDEX attribution_thread ON attribution (thread_id, id);

-- What operators did: who, why and how many, never whose.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  threads INTEGER NOT NULL,
  checkpoints INTEGER NOT NULL,
  create_time INTEGER NOT NULL
) STRICT;
