import type { Identity } from "../../domain/conversation/identity.ts";
import type { Quarantine } from "../../domain/conversation/stored.ts";
import type { LegacyTarget, NamedThread, SourceTarget, Target } from "../../domain/conversation/thread-key.ts";
import { StoreFault } from "../fault.ts";
import { quarantineOf, type ThreadRow, threadOf } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { type Row, text } from "./rows.ts";

/** The thread of an identity or of an exact key. Identities are looked up by their columns; a key is never parsed. */
export function findThread(connection: Connection, query: Target): ThreadRow | undefined {
  return query.by === "key" ? threadByKey(connection, query.key) : threadByIdentity(connection, query.named.identity);
}

/** The thread that a write is about. A legacy key that proves its identity is the thread of that identity, whatever its key. */
export function findTarget(
  connection: Connection,
  target: Target | LegacyTarget | SourceTarget,
): ThreadRow | undefined {
  if (target.by === "source") return threadOfCheckpoint(connection, target.checkpointId);
  if (target.by !== "legacy") return findThread(connection, target);
  const { quarantined, positional } = target.legacy;
  return threadByKey(connection, target.key) ?? (quarantined ? undefined : threadByIdentity(connection, positional));
}

/**
 * A thread beside the one of an identity, under a key that the identity derives or that an older host would have made
 * of it: while its tenant is not proved to be another's, going on without it could fork a conversation silently.
 */
export function findBeside(
  connection: Connection,
  query: Target,
  thread: ThreadRow | undefined,
): Quarantine | undefined {
  if (query.by === "key") return undefined;
  const { named } = query;
  for (const key of named.legacyKeys) {
    if (key === thread?.key) continue;
    const row = besideRow(connection, key);
    if (row !== undefined && standsBeside(row, named, thread)) return quarantineOf(row);
    if (row !== undefined && thread === undefined && key === named.key) return quarantineOf(row);
  }
  return undefined;
}

function threadByIdentity({ statement }: Connection, identity: Identity): ThreadRow | undefined {
  const row = statement(
    `SELECT t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
            t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM thread t LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE t.tenant_id = ? AND t.sub_tenant_id = ? AND t.session_id = ? AND t.session_id <> ''`,
  ).get(identity.tenantId, identity.subTenantId, identity.sessionId);
  return row === undefined ? undefined : threadOf(row);
}

function threadByKey({ statement }: Connection, key: string): ThreadRow | undefined {
  const row = statement(
    `SELECT t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
            t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM thread t LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE t.thread_key = ?`,
  ).get(key);
  return row === undefined ? undefined : threadOf(row);
}

function threadOfCheckpoint({ statement }: Connection, checkpointId: string): ThreadRow | undefined {
  const row = statement(
    `SELECT t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
            t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM checkpoint c JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE c.checkpoint_id = ?`,
  ).get(checkpointId);
  return row === undefined ? undefined : threadOf(row);
}

function besideRow({ statement }: Connection, key: string): Row | undefined {
  return statement(
    `SELECT t.tenant_id, t.sub_tenant_id, t.session_id, l.separators_found, l.separators_expected
     FROM thread t LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE t.thread_key = ?`,
  ).get(key);
}

/** Not proved to be another tenant's. A row of the very identity was missed by its look-up: a damaged index. */
function standsBeside(row: Row, { identity }: NamedThread, thread: ThreadRow | undefined): boolean {
  const { tenantId, subTenantId, sessionId } = identity;
  const found = [text(row, "tenant_id"), text(row, "sub_tenant_id"), text(row, "session_id")];
  const same = found.every((column, position) => column === [tenantId, subTenantId, sessionId][position]);
  if (same && thread === undefined) throw new StoreFault("corrupt", "a thread is there by key and not by identity");
  return text(row, "session_id") === "" && ["", tenantId].includes(text(row, "tenant_id"));
}
