import { fromBinary } from "@bufbuild/protobuf";
import type { Write } from "../../domain/conversation/decide.ts";
import type { Hold } from "../../domain/conversation/hold.ts";
import type { StoredCheckpoint } from "../../domain/conversation/stored.ts";
import type { Facts, FirstAnswer } from "../../domain/conversation/write-facts.ts";
import { UnsafeBoundarySchema } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { recordedOf } from "./attribution.ts";
import { checkpointOf, type ThreadRow } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { sourceOf } from "./replay-source.ts";
import { bytes, optional } from "./rows.ts";
import { findBeside, findTarget } from "./threads.ts";

/** The facts of a decision, and the row that they were read from. */
export interface ReadFacts {
  readonly facts: Facts;
  readonly thread: ThreadRow | undefined;
}

/** Reads what a write's decision needs. Runs under the write lock: nothing of it can change before the change is made. */
export function readFacts(connection: Connection, write: Write, holds: readonly Hold[]): ReadFacts {
  const thread = findTarget(connection, write.target);
  const facts = {
    first:
      thread === undefined || write.kind === "attribute" ? undefined : firstAnswer(connection, thread, write.retry.key),
    thread,
    beside: write.target.by === "identity" ? findBeside(connection, write.target, thread) : undefined,
    head:
      (write.kind === "adopt" || write.kind === "attribute") && thread !== undefined
        ? headOf(connection, thread)
        : undefined,
    hadExpectedHead: "expectedHead" in write && hadHead(connection, write.expectedHead, thread),
    source: write.kind === "registerReplay" && thread !== undefined ? sourceOf(connection, write, thread) : undefined,
    recorded: write.kind === "attribute" && thread !== undefined ? recordedOf(connection, write, thread) : undefined,
    holds,
  };
  return { facts, thread };
}

function headOf({ statement }: Connection, thread: ThreadRow): StoredCheckpoint | undefined {
  const row = statement("SELECT * FROM checkpoint WHERE thread_id = ? AND sequence = ?").get(
    BigInt(thread.rowId),
    BigInt(thread.head.sequence),
  );
  return row === undefined ? undefined : checkpointOf(row, thread).stored;
}

function firstAnswer({ statement }: Connection, thread: ThreadRow, key: string): FirstAnswer | undefined {
  const row = statement(
    `SELECT i.body, i.mid_frame, c.*
     FROM idempotency i JOIN checkpoint c ON c.checkpoint_id = i.checkpoint_id
     WHERE i.thread_id = ? AND i.key = ?`,
  ).get(BigInt(thread.rowId), key);
  if (row === undefined) return undefined;
  const midFrame = optional(row, "mid_frame", bytes);
  return {
    body: bytes(row, "body"),
    checkpoint: checkpointOf(row, thread).stored,
    midFrame: midFrame === undefined ? undefined : fromBinary(UnsafeBoundarySchema, midFrame),
  };
}

function hadHead({ statement }: Connection, checkpointId: string | undefined, thread: ThreadRow | undefined): boolean {
  if (checkpointId === undefined || thread === undefined) return false;
  if (checkpointId === thread.head.checkpointId) return true;
  const had = statement("SELECT 1 FROM checkpoint WHERE checkpoint_id = ? AND thread_id = ?");
  return had.get(checkpointId, BigInt(thread.rowId)) !== undefined;
}
