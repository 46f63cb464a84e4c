import type { Target } from "../../domain/conversation/thread-key.ts";
import type { Listed, ListQuery } from "../ports.ts";
import { checkpointOf, threadOf } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { activeHoldRow } from "./drain-scope.ts";
import { integer, type Row } from "./rows.ts";
import { findBeside, findThread } from "./threads.ts";

/** One page of checkpoints in the order in which they were written. Runs in one read transaction. */
export function list(connection: Connection, query: ListQuery): Listed {
  switch (query.of.by) {
    case "thread":
      return ofThread(connection, query, query.of.thread);
    case "tenant":
      return {
        thread: undefined,
        beside: undefined,
        ...page(ofTenant(connection, query, query.of.tenantId), query.limit),
      };
    case "format":
      return {
        thread: undefined,
        beside: undefined,
        ...page(ofFormat(connection, query, query.of.format), query.limit),
      };
    case "remaining":
      return ofDrain(connection, query, query.of);
  }
}

type Remaining = Extract<ListQuery["of"], { by: "remaining" }>;

function ofDrain(connection: Connection, { after, limit }: ListQuery, of: Remaining): Listed {
  const hold = activeHoldRow(connection, of.freezeId);
  if (hold === undefined) return { kind: "no-freeze" };
  const rows = connection
    .statement(
      `SELECT c.*, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
              t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
       FROM drain_artifact a JOIN checkpoint c ON c.id = a.checkpoint_row
       JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
       LEFT JOIN drain_verdict v ON v.checkpoint_row = c.id AND v.terms = ?
       WHERE a.hold_id = ? AND a.checkpoint_row > ? AND a.counted <> 'unproved' AND coalesce(v.leaf, '') = ''
         AND c.state NOT IN ('retired', 'discarded') AND c.format NOT IN (SELECT value FROM json_each(?))
       ORDER BY a.checkpoint_row LIMIT ?`,
    )
    .all(of.terms, hold, BigInt(after), JSON.stringify(of.expired), BigInt(limit + 1));
  return { thread: undefined, beside: undefined, ...page(rows, limit) };
}

function ofThread(connection: Connection, query: ListQuery, named: Target): Listed {
  const thread = findThread(connection, named);
  const beside = findBeside(connection, named, thread);
  if (thread === undefined) return { kind: "no-thread", beside };
  const rows = connection
    .statement(
      `SELECT c.*, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
              t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
       FROM checkpoint c JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
       WHERE c.thread_id = ? AND c.id > ? ORDER BY c.id LIMIT ?`,
    )
    .all(BigInt(thread.rowId), BigInt(query.after), BigInt(query.limit + 1));
  return { thread, beside, ...page(rows, query.limit) };
}

function ofTenant({ statement }: Connection, { after, limit }: ListQuery, tenantId: string): readonly Row[] {
  return statement(
    `SELECT c.*, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
            t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM thread t JOIN checkpoint c ON c.thread_id = t.id LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE t.tenant_id = ? AND t.tenant_id <> '' AND c.id > ? ORDER BY c.id LIMIT ?`,
  ).all(tenantId, BigInt(after), BigInt(limit + 1));
}

function ofFormat({ statement }: Connection, { after, limit }: ListQuery, format: string): readonly Row[] {
  return statement(
    `SELECT c.*, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
            t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM checkpoint c JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE c.format = ? AND c.id > ? ORDER BY c.id LIMIT ?`,
  ).all(format, BigInt(after), BigInt(limit + 1));
}

type Page = Pick<Extract<Listed, { kind: "page" }>, "kind" | "rows" | "next">;

/** One row more than was asked for tells whether there is a next page. */
function page(rows: readonly Row[], limit: number): Page {
  const shown = rows.slice(0, limit).map((row) => {
    const thread = threadOf(row);
    return { thread, checkpoint: checkpointOf(row, thread).stored };
  });
  const last = rows[limit - 1];
  return {
    kind: "page",
    rows: shown,
    next: rows.length > limit && last !== undefined ? integer(last, "id") : undefined,
  };
}
