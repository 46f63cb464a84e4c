import { CheckpointFormat_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { invalidRequest } from "../violation.ts";
import { isIntact } from "./envelope.ts";
import { conflict, headConflict, headUnknown } from "./expected-head.ts";
import { repeat } from "./first-answer.ts";
import { replayIdOf } from "./replay.ts";
import { replayGate, unaccountedSource } from "./replay-gate.ts";
import type { StoredThread } from "./stored.ts";
import { checkpointAt, isSameDocument, type Submitted } from "./submitted.ts";
import type { SourceTarget } from "./thread-key.ts";
import type { Append, Change } from "./write.ts";
import type { Facts, ReplaySource } from "./write-facts.ts";

/** What a replay produced, for the thread of its source. Anything but a tested boundary at its end is unfit, rows 6 to 9. */
export interface RegisterReplayWrite extends Submitted {
  readonly kind: "registerReplay";
  readonly target: SourceTarget;
  readonly replayId: string;
  readonly expectedHead: string;
}

/** The order of a write. One source has one replay: its bytes again are its answer, others have come too late. */
export function decideRegisterReplay(write: RegisterReplayWrite, facts: Facts): Outcome<Change> {
  const { first, thread, source } = facts;
  if (first !== undefined && thread !== undefined) return repeat(write.retry, first, thread);
  if (thread === undefined || source === undefined) return unaccountedSource(write.target, facts);
  const refusal = sourceRefusal(write, source) ?? headUnknown(write.expectedHead, facts);
  if (refusal !== undefined) return refusal;
  if (source.output !== undefined && isSameDocument(write, source.output)) {
    return ok({ kind: "repeat", first: { checkpoint: source.output, midFrame: undefined }, thread });
  }
  const later = firstRefusal([
    () => write.unfit,
    () => replayGate(write, { thread, source, holds: facts.holds }),
    () => tooLate(write, thread, source),
    () => headConflict(write.expectedHead, thread),
  ]);
  return later ?? ok(replace(write, thread));
}

/** A source that was given up, or whose payload is gone, is no source; and the caller must have seen the replay of this one. */
function sourceRefusal({ replayId, target }: RegisterReplayWrite, { checkpoint }: ReplaySource): Refusal | undefined {
  const { checkpointId } = target;
  const over = checkpoint.state === "discarded" || (checkpoint.state === "active" && checkpoint.prunedAt !== undefined);
  if (over) return refuse("checkpointNotFound", { checkpointId });
  if (!isIntact(checkpoint)) return refuse("checkpointFormat", { cause: CheckpointFormat_Cause.CORRUPT, checkpointId });
  if (replayId === replayIdOf(checkpoint)) return undefined;
  return invalidRequest([{ field: "replay_id", rule: "MISMATCH", description: "is not the replay of this source" }]);
}

function tooLate(write: RegisterReplayWrite, thread: StoredThread, { output }: ReplaySource): Refusal | undefined {
  return output === undefined ? undefined : conflict(write.expectedHead, thread);
}

/** The thread keeps its owner, however that was recorded: a replay carries attribution over and never creates it. */
function replace(write: RegisterReplayWrite, thread: StoredThread): Append {
  const { key, identity, tenantId, quarantine } = thread;
  const head = { checkpointId: write.checkpointId, sequence: thread.head.sequence + 1 };
  return {
    kind: "append",
    begins: undefined,
    thread: { key, identity, tenantId, quarantine, head },
    previous: thread.head,
    checkpoint: checkpointAt(write, {
      threadKey: key,
      identity,
      sequence: head.sequence,
      parentCheckpointId: thread.head.checkpointId,
      sourceCheckpointId: write.target.checkpointId,
      origin: "replayed",
      writtenTime: undefined,
    }),
    retires: write.target.checkpointId,
    retry: write.retry,
    midFrame: undefined,
  };
}
