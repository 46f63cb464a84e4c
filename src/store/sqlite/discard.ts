import { type DiscardWrite, decideDiscard, type Placed } from "../../domain/conversation/discard.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { checkpointOf } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { touchDrains } from "./drain-artifacts.ts";
import { findTarget } from "./threads.ts";

/** Marks a checkpoint as given up. Its row, its place and its digest stay. */
export function discard(connection: Connection, write: DiscardWrite): Outcome<Placed> {
  const decided = decideDiscard(write, placeOf(connection, write.checkpointId));
  if (decided.kind === "refusal") return decided;
  const { kind, thread, checkpoint } = decided.value;
  if (kind === "discard") giveUp(connection, write);
  return ok({ thread, checkpoint });
}

function placeOf(connection: Connection, checkpointId: string): Placed | undefined {
  const thread = findTarget(connection, { by: "source", checkpointId });
  const row = connection.statement("SELECT * FROM checkpoint WHERE checkpoint_id = ?").get(checkpointId);
  if (thread === undefined || row === undefined) return undefined;
  return { thread, checkpoint: checkpointOf(row, thread).stored };
}

function giveUp(connection: Connection, { checkpointId, actor, reason, now }: DiscardWrite): void {
  const { statement } = connection;
  statement("UPDATE checkpoint SET state = 'discarded' WHERE checkpoint_id = ?").run(checkpointId);
  touchDrains(connection, checkpointId);
  statement(
    "INSERT INTO audit (action, actor, reason, threads, checkpoints, create_time) VALUES ('discard', ?, ?, 1, 1, ?)",
  ).run(actor, reason, BigInt(now));
}
