import type { Found, FoundCheckpoint } from "../../domain/conversation/found.ts";
import type { AcceptedBoundary, FindQuery } from "../ports.ts";
import { type CheckpointRow, checkpointOf, type ThreadRow } from "./checkpoint-row.ts";
import { readPayload } from "./chunks.ts";
import type { Connection } from "./connection.ts";
import { readHolds } from "./gate.ts";
import { text } from "./rows.ts";
import { findBeside, findThread } from "./threads.ts";

/** A checkpoint with its payload and all that Resume judges by. Runs in one read transaction. */
export function find(connection: Connection, query: FindQuery): Found {
  const { found, thread, row } = locate(connection, query);
  if (found.kind !== "checkpoint" || thread === undefined || row === undefined) return found;
  return {
    ...found,
    payload: row.stored.prunedAt === undefined ? readPayload(connection, thread.rowId, row) : undefined,
    lastSafeCheckpointId: lastSafe(connection, { thread, row, accepted: query.accepted }),
    holds: readHolds(connection),
  };
}

/** The same without payload, last safe checkpoint and holds. */
export function look(connection: Connection, query: Omit<FindQuery, "accepted">): Found {
  return locate(connection, query).found;
}

interface Located {
  readonly found: Found;
  readonly thread?: ThreadRow;
  readonly row?: CheckpointRow;
}

function locate(connection: Connection, query: Omit<FindQuery, "accepted">): Located {
  const thread = findThread(connection, query.thread);
  const beside = findBeside(connection, query.thread, thread);
  if (thread === undefined) return { found: { kind: "no-thread", beside } };
  const row = checkpointRow(connection, thread, query.checkpointId);
  if (row === undefined) return { found: { kind: "no-checkpoint", thread, beside } };
  const found: FoundCheckpoint = {
    kind: "checkpoint",
    thread,
    beside,
    checkpoint: row.stored,
    inPlace: isInPlace(thread, row, query.checkpointId),
    payload: undefined,
    lastSafeCheckpointId: undefined,
    holds: [],
  };
  return { found, thread, row };
}

function checkpointRow(
  { statement }: Connection,
  thread: ThreadRow,
  checkpointId: string | undefined,
): CheckpointRow | undefined {
  const rowId = BigInt(thread.rowId);
  const row =
    checkpointId === undefined
      ? statement("SELECT * FROM checkpoint WHERE thread_id = ? AND sequence = ?").get(
          rowId,
          BigInt(thread.head.sequence),
        )
      : statement("SELECT * FROM checkpoint WHERE checkpoint_id = ? AND thread_id = ?").get(checkpointId, rowId);
  return row === undefined ? undefined : checkpointOf(row, thread);
}

/** A head is named twice, by its place and by its id: a damaged pointer can't lead to another checkpoint unnoticed. */
function isInPlace(
  { head }: ThreadRow,
  { stored: { header } }: CheckpointRow,
  checkpointId: string | undefined,
): boolean {
  return checkpointId === undefined ? header.checkpointId === head.checkpointId : header.sequence <= head.sequence;
}

interface SafeQuery {
  readonly thread: ThreadRow;
  readonly row: CheckpointRow;
  readonly accepted: readonly AcceptedBoundary[];
}

/** The boundary that was found when it was written, if its format and proof still count now. */
function lastSafe({ statement }: Connection, { thread, row, accepted }: SafeQuery): string | undefined {
  const pairs = JSON.stringify(accepted.map(({ format, proof }) => [format, proof]));
  const found = statement(
    `SELECT checkpoint_id FROM checkpoint
     WHERE thread_id = ? AND sequence < ? AND boundary_kind <> 0 AND state = 'active' AND pruned_at IS NULL
       AND (format, boundary_proof) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
     ORDER BY sequence DESC LIMIT 1`,
  ).get(BigInt(thread.rowId), BigInt(row.stored.header.sequence), pairs);
  return found === undefined ? undefined : text(found, "checkpoint_id");
}
