import type { Target } from "../../domain/conversation/thread-key.ts";
import type { Listed, ListQuery } from "../ports.ts";
import { checkpointOf, type ThreadRow, threadOf } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { activeHoldRow } from "./drain-scope.ts";
import { integer, type Row } from "./rows.ts";
import { findBeside, findThread } from "./threads.ts";

/**
 * One page of checkpoints in the order in which they were written. Runs in one read transaction, and costs the page: each
 * order is that of an index.
 */
export function list(connection: Connection, query: ListQuery): Listed {
  const { of, limit } = query;
  switch (of.by) {
    case "thread":
      return listThread(connection, query, of.thread);
    case "tenant":
      return page(ofTenant(connection, query, of.tenantId), limit);
    case "format":
      return page(ofFormat(connection, query, of.format), limit);
    case "remaining":
      return listRemaining(connection, query, of);
  }
}

type Remaining = Extract<ListQuery["of"], { by: "remaining" }>;

function listThread(connection: Connection, query: ListQuery, named: Target): Listed {
  const thread = findThread(connection, named);
  const beside = findBeside(connection, named, thread);
  if (thread === undefined) return { kind: "no-thread", beside };
  return { ...page(ofThread(connection, query, thread), query.limit), thread, beside };
}

function listRemaining(connection: Connection, query: ListQuery, of: Remaining): Listed {
  const hold = activeHoldRow(connection, of.freezeId);
  return hold === undefined ? { kind: "no-freeze" } : page(ofDrain(connection, query, { ...of, hold }), query.limit);
}

function ofThread({ statement }: Connection, { after, limit }: ListQuery, thread: ThreadRow): readonly Row[] {
  return statement(
    `SELECT c.*, c.sequence AS place, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id,
            t.minted, t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM checkpoint c JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE c.thread_id = ? AND c.sequence > ? ORDER BY c.sequence LIMIT ?`,
  ).all(BigInt(thread.rowId), BigInt(after), BigInt(limit + 1));
}

function ofTenant({ statement }: Connection, { after, limit }: ListQuery, tenantId: string): readonly Row[] {
  return statement(
    `SELECT c.*, c.id AS place, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id,
            t.minted, t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM tenant_checkpoint o CROSS JOIN checkpoint c ON c.id = o.checkpoint_row
     JOIN thread t ON t.id = c.thread_id AND t.tenant_id = o.tenant_id LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE o.tenant_id = ? AND o.checkpoint_row > ? ORDER BY o.checkpoint_row LIMIT ?`,
  ).all(tenantId, BigInt(after), BigInt(limit + 1));
}

function ofFormat({ statement }: Connection, { after, limit }: ListQuery, format: string): readonly Row[] {
  return statement(
    `SELECT c.*, c.id AS place, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id,
            t.minted, t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM checkpoint c JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE c.format = ? AND c.id > ? ORDER BY c.id LIMIT ?`,
  ).all(format, BigInt(after), BigInt(limit + 1));
}

function ofDrain(
  { statement }: Connection,
  { after, limit }: ListQuery,
  of: Remaining & { hold: bigint },
): readonly Row[] {
  return statement(
    `SELECT c.*, c.id AS place, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id,
            t.minted, t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM drain_artifact a CROSS JOIN checkpoint c ON c.id = a.checkpoint_row
     JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
     LEFT JOIN drain_verdict v ON v.checkpoint_row = c.id AND v.terms = ?
     WHERE a.hold_id = ? AND a.checkpoint_row > ? AND a.counted <> 'unproved' AND coalesce(v.leaf, '') = ''
       AND c.state NOT IN ('retired', 'discarded') AND c.format NOT IN (SELECT value FROM json_each(?))
     ORDER BY a.checkpoint_row LIMIT ?`,
  ).all(of.terms, of.hold, BigInt(after), JSON.stringify(of.expired), BigInt(limit + 1));
}

type Page = Extract<Listed, { kind: "page" }>;

/** One row more than was asked for tells whether there is a next page. */
function page(rows: readonly Row[], limit: number): Page {
  const shown = rows.slice(0, limit).map((row) => {
    const thread = threadOf(row);
    return { thread, checkpoint: checkpointOf(row, thread).stored };
  });
  const last = rows[limit - 1];
  const next = rows.length > limit && last !== undefined ? integer(last, "place") : undefined;
  return { kind: "page", thread: undefined, beside: undefined, rows: shown, next };
}
