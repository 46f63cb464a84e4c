import { CheckpointFormat_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { invalidRequest } from "../violation.ts";
import { ENVELOPE_VERSION, envelopeDigest, isIntact, sameBytes } from "./envelope.ts";
import { headConflict, headUnknown, repeat } from "./issue.ts";
import { replayIdOf } from "./replay.ts";
import { replayGate, unaccountedSource } from "./replay-gate.ts";
import type { Header, StoredCheckpoint, StoredThread } from "./stored.ts";
import type { Submitted } from "./submitted.ts";
import type { SourceTarget } from "./thread-key.ts";
import type { Append, Change, Facts } from "./write.ts";

/** What a replay produced, for the thread of its source. Anything but a tested boundary at its end is unfit, rows 6 to 9. */
export interface RegisterReplayWrite extends Submitted {
  readonly kind: "registerReplay";
  readonly target: SourceTarget;
  readonly replayId: string;
  readonly expectedHead: string;
}

/** The source of a replay, and what was registered for it already. */
export interface ReplaySource {
  readonly checkpoint: StoredCheckpoint;
  readonly output: StoredCheckpoint | undefined;
  /** The holds that have counted it: their ids. */
  readonly countedBy: readonly string[];
}

/** The order of a write. One source has one replay: its bytes again are its answer, others have come too late. */
export function decideRegisterReplay(write: RegisterReplayWrite, facts: Facts): Outcome<Change> {
  const { first, thread, source } = facts;
  if (first !== undefined && thread !== undefined) return repeat(write.retry, first, thread);
  if (thread === undefined || source === undefined) return unaccountedSource(write, facts);
  const refusal = sourceRefusal(write, source) ?? headUnknown(write, facts);
  if (refusal !== undefined) return refusal;
  if (source.output !== undefined && isSame(write, source.output)) {
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

function isSame({ format, payload }: RegisterReplayWrite, { header }: StoredCheckpoint): boolean {
  const same = header.format === format && header.payload.kind === payload.kind;
  return same && sameBytes(header.payload.digest, payload.digest);
}

function tooLate(write: RegisterReplayWrite, { head }: StoredThread, { output }: ReplaySource): Refusal | undefined {
  if (output === undefined) return undefined;
  const actual = { actualHead: head.checkpointId, actualSequence: BigInt(head.sequence) };
  return refuse("headConflict", { expectedHead: write.expectedHead, ...actual });
}

/** The thread keeps its owner, however that was recorded: a replay carries attribution over and never creates it. */
function replace(write: RegisterReplayWrite, thread: StoredThread): Append {
  const { key, identity, tenantId, quarantine } = thread;
  const header = headerOf(write, thread);
  const head = { checkpointId: header.checkpointId, sequence: header.sequence };
  return {
    kind: "append",
    begins: undefined,
    thread: { key, identity, tenantId, quarantine, head },
    previous: thread.head,
    checkpoint: {
      header,
      envelopeVersion: ENVELOPE_VERSION,
      digest: envelopeDigest(header),
      state: "active",
      prunedAt: undefined,
    },
    retires: write.target.checkpointId,
    retry: write.retry,
    midFrame: undefined,
  };
}

function headerOf(write: RegisterReplayWrite, thread: StoredThread): Header {
  const { checkpointId, now, host, format, boundary, claimedProof, payload } = write;
  return {
    checkpointId,
    threadKey: thread.key,
    identity: thread.identity,
    sequence: thread.head.sequence + 1,
    parentCheckpointId: thread.head.checkpointId,
    sourceCheckpointId: write.target.checkpointId,
    origin: "replayed",
    createTime: now,
    writtenTime: undefined,
    host,
    format,
    boundary,
    claimedProof,
    payload,
  };
}
