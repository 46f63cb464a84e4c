import type { RegisterReplayWrite } from "../../domain/conversation/register-replay.ts";
import type { ReplaySource } from "../../domain/conversation/write-facts.ts";
import { checkpointOf, type ThreadRow } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { holdsThatCounted, touchDrains } from "./drain-artifacts.ts";

/** The source of a replay in its thread, with the one replay that it may have had. */
export function sourceOf(
  connection: Connection,
  { target }: RegisterReplayWrite,
  thread: ThreadRow,
): ReplaySource | undefined {
  const { statement } = connection;
  const row = statement("SELECT * FROM checkpoint WHERE checkpoint_id = ?").get(target.checkpointId);
  if (row === undefined) return undefined;
  const output = statement("SELECT * FROM checkpoint WHERE source_checkpoint_id = ?").get(target.checkpointId);
  return {
    checkpoint: checkpointOf(row, thread).stored,
    output: output === undefined ? undefined : checkpointOf(output, thread).stored,
    countedBy: holdsThatCounted(connection, target.checkpointId),
  };
}

/** From now on nobody resumes or replays it. The row and its digest stay. */
export function retire(connection: Connection, checkpointId: string): void {
  connection.statement("UPDATE checkpoint SET state = 'retired' WHERE checkpoint_id = ?").run(checkpointId);
  touchDrains(connection, checkpointId);
}
