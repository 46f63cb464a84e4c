import {
  droppable,
  keptAnswers,
  keptAudit,
  keptPayloads,
  type Payloaded,
} from "../../domain/conversation/retention.ts";
import type { Instant } from "../../domain/conversation/stored.ts";
import { unpackIds } from "./checkpoint-row.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { readHolds } from "./gate.ts";
import { bytes, integer, optional, type Row, text } from "./rows.ts";

/** Threads after this row that hold more payloads than are kept in any case, in their order. A read, off the writer. */
export function crowdedThreads({ statement }: Connection, after: number, limit: number): readonly number[] {
  const rows = statement(
    `SELECT thread_id FROM checkpoint WHERE pruned_at IS NULL AND thread_id > ?
     GROUP BY thread_id HAVING count(*) > ? ORDER BY thread_id LIMIT ?`,
  ).all(BigInt(after), BigInt(keptPayloads), BigInt(limit));
  return rows.map((row) => integer(row, "thread_id"));
}

/** Drops what may go of one thread, in one transaction. Answers how many payloads went. */
export function pruneThread(connection: Connection, thread: number, now: Instant): number {
  return inTransaction(connection, () => {
    const rows = payloadedRows(connection, thread);
    const gone = droppable(rows, headOf(connection, thread), now);
    const chunks = goneChunks(rows, gone);
    for (const { rowId } of gone) dropPayload(connection, rowId, now);
    const remove = connection.statement("DELETE FROM chunk WHERE id = ? AND thread_id = ?");
    for (const chunk of chunks) remove.run(chunk, BigInt(thread));
    return gone.length;
  });
}

/** Forgets first answers that are too old; none while a hold is active, since then a retry may come very late. */
export function pruneAnswers(connection: Connection, now: Instant): void {
  inTransaction(connection, () => {
    if (readHolds(connection).length > 0) return;
    connection
      .statement(
        `DELETE FROM idempotency WHERE (thread_id, key) IN
           (SELECT thread_id, key FROM idempotency WHERE create_time < ? ORDER BY create_time LIMIT 1000)`,
      )
      .run(BigInt(now - keptAnswers));
  });
}

/** Forgets lines of the audit that are too old. */
export function pruneAudit(connection: Connection, now: Instant): void {
  inTransaction(connection, () => {
    connection
      .statement(
        `DELETE FROM audit WHERE id IN
           (SELECT id FROM (SELECT id, create_time FROM audit ORDER BY id LIMIT 1000) WHERE create_time < ?)`,
      )
      .run(BigInt(now - keptAudit));
  });
}

/** Gives pages that pruning has freed back to the file system. */
export function shrink(connection: Connection): void {
  inTransaction(connection, () => connection.db.exec("PRAGMA incremental_vacuum(1000)"));
}

interface PayloadedRow extends Payloaded {
  readonly chunks: readonly bigint[];
}

function payloadedRows({ statement }: Connection, thread: number): readonly PayloadedRow[] {
  const rows = statement(
    `SELECT c.id, c.sequence, c.boundary_kind, c.state, c.chunks,
            c.pinned OR EXISTS (SELECT 1 FROM drain d JOIN drain_artifact a
                                ON a.hold_id = d.hold_id AND a.checkpoint_row = c.id) AS pinned, n.create_time AS succeeded_at
     FROM checkpoint c LEFT JOIN checkpoint n ON n.thread_id = c.thread_id AND n.sequence = c.sequence + 1
     WHERE c.thread_id = ? AND c.pruned_at IS NULL ORDER BY c.sequence`,
  ).all(BigInt(thread));
  return rows.map(payloadedOf);
}

function payloadedOf(row: Row): PayloadedRow {
  return {
    rowId: integer(row, "id"),
    sequence: integer(row, "sequence"),
    safe: integer(row, "boundary_kind") !== 0 && text(row, "state") === "active",
    pinned: integer(row, "pinned") !== 0,
    succeededAt: optional(row, "succeeded_at", integer),
    chunks: unpackIds(bytes(row, "chunks")),
  };
}

function headOf({ statement }: Connection, thread: number): number {
  return integer(statement("SELECT head_sequence FROM thread WHERE id = ?").get(BigInt(thread)) ?? {}, "head_sequence");
}

/** Chunks that only what goes has named: listed before anything goes, so that what stays is complete. */
function goneChunks(rows: readonly PayloadedRow[], gone: readonly Payloaded[]): ReadonlySet<bigint> {
  const going = new Set(gone.map(({ rowId }) => rowId));
  const chunks = new Set(rows.filter(({ rowId }) => going.has(rowId)).flatMap((row) => row.chunks));
  for (const chunk of rows.filter(({ rowId }) => !going.has(rowId)).flatMap((row) => row.chunks)) chunks.delete(chunk);
  return chunks;
}

function dropPayload({ statement }: Connection, checkpoint: number, now: Instant): void {
  statement("UPDATE checkpoint SET pruned_at = ?, chunks = x'' WHERE id = ?").run(BigInt(now), BigInt(checkpoint));
}
