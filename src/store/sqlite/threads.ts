import type { Quarantine } from "../../domain/conversation/stored.ts";
import type { NamedThread, Target } from "../../domain/conversation/thread-key.ts";
import { quarantineOf, type ThreadRow, threadOf } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { text } from "./rows.ts";

/** The thread of an identity or of an exact key. Identities are looked up by their columns; a key is never parsed. */
export function findThread(connection: Connection, query: Target): ThreadRow | undefined {
  return query.by === "key" ? threadByKey(connection, query.key) : threadByIdentity(connection, query.named);
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
  for (const key of query.named.legacyKeys) {
    if (key === thread?.key) continue;
    const found = besideByKey(connection, key, query.named);
    if (found !== undefined) return found;
  }
  return undefined;
}

function threadByIdentity({ statement }: Connection, { identity }: NamedThread): ThreadRow | undefined {
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

function besideByKey({ statement }: Connection, key: string, named: NamedThread): Quarantine | undefined {
  const row = statement(
    `SELECT t.tenant_id, t.session_id, l.separators_found, l.separators_expected
     FROM thread t LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE t.thread_key = ?`,
  ).get(key);
  if (row === undefined) return undefined;
  const unproved = text(row, "session_id") === "" && ["", named.identity.tenantId].includes(text(row, "tenant_id"));
  return unproved || key === named.key ? quarantineOf(row) : undefined;
}
