import { IssuanceFrozen_Cause, type UnsafeBoundary } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { ENVELOPE_VERSION, envelopeDigest, sameBytes } from "./envelope.ts";
import { coveringHold, frozenBy, holdsATenant } from "./hold.ts";
import { unattributed } from "./legacy-key.ts";
import type { Header, StoredThread } from "./stored.ts";
import type { Submitted } from "./submitted.ts";
import type { Identity, Target } from "./thread-key.ts";
import type { Append, Change, Facts, FirstAnswer, Retry } from "./write.ts";

/** A new checkpoint at a thread's head. It is unfit by rows 6 and 7. */
export interface IssueWrite extends Submitted {
  readonly kind: "issue";
  readonly target: Target;
  readonly expectedHead: string | undefined;
  readonly midFrame: UnsafeBoundary | undefined;
}

/** The order of a write: its first answer, the thread, the document, the gate, the head. The first that matches answers. */
export function decideIssue(write: IssueWrite, facts: Facts): Outcome<Change> {
  if (facts.first !== undefined && facts.thread !== undefined) return repeat(write.retry, facts.first, facts.thread);
  const refusal = firstRefusal([
    () => threadRefusal(write, facts),
    () => headUnknown(write, facts),
    () => write.unfit,
    () => gateRefusal(write, facts),
    () => headConflict(write.expectedHead, facts.thread),
  ]);
  return refusal ?? ok(append(write, facts));
}

/** The first answer again, or the refusal of a key that was used for something else. */
export function repeat(retry: Retry, first: FirstAnswer, thread: StoredThread): Outcome<Change> {
  if (sameBytes(first.body, retry.body)) return ok({ kind: "repeat", first, thread });
  return refuse("idempotencyKeyReused", { idempotencyKey: retry.shown });
}

/** Rows 4 and 5: never a second thread beside a quarantined one, never a first one by key. */
function threadRefusal({ target }: IssueWrite, { thread, beside }: Facts): Refusal | undefined {
  if (target.by === "key") return thread === undefined ? refuse("threadNotFound", {}) : undefined;
  return beside === undefined ? undefined : unattributed(beside);
}

/** A head that this store never had, in whatever thread, is not a conflict but a wrong id. */
export function headUnknown(
  { expectedHead }: Pick<IssueWrite, "expectedHead">,
  { knowsExpectedHead }: Facts,
): Refusal | undefined {
  if (expectedHead === undefined || knowsExpectedHead) return undefined;
  return refuse("checkpointNotFound", { checkpointId: expectedHead });
}

function gateRefusal({ format, target }: IssueWrite, { thread, holds }: Facts): Refusal | undefined {
  const hold = coveringHold(holds, { tenantId: ownerOf(target, thread), format });
  if (hold !== undefined) return frozenBy(hold, IssuanceFrozen_Cause.NEW_STATE);
  const quarantine = thread?.quarantine;
  return quarantine !== undefined && holdsATenant(holds) ? unattributed(quarantine) : undefined;
}

/** One of those who build on a head wins; the others are told the actual one. */
export function headConflict(expectedHead: string | undefined, thread: StoredThread | undefined): Refusal | undefined {
  if (expectedHead === thread?.head.checkpointId) return undefined;
  return refuse("headConflict", {
    expectedHead: expectedHead ?? "",
    actualHead: thread?.head.checkpointId ?? "",
    actualSequence: BigInt(thread?.head.sequence ?? 0),
  });
}

function ownerOf(target: Target, thread: StoredThread | undefined): string | undefined {
  return target.by === "identity" ? target.named.identity.tenantId : thread?.tenantId;
}

function append(write: IssueWrite, { thread }: Facts): Append {
  const header = headerOf(write, thread);
  const head = { checkpointId: header.checkpointId, sequence: header.sequence };
  const tenantId = ownerOf(write.target, thread);
  return {
    kind: "append",
    begins: thread === undefined ? { now: write.now, legacy: undefined } : undefined,
    thread: { key: header.threadKey, identity: header.identity, tenantId, quarantine: thread?.quarantine, head },
    previous: thread?.head,
    checkpoint: {
      header,
      envelopeVersion: ENVELOPE_VERSION,
      digest: envelopeDigest(header),
      state: "active",
      prunedAt: undefined,
    },
    retry: write.retry,
    midFrame: write.midFrame,
  };
}

function headerOf(write: IssueWrite, thread: StoredThread | undefined): Header {
  const { checkpointId, host, format, claimedProof, payload, boundary } = write;
  return {
    checkpointId,
    threadKey: thread?.key ?? keyOf(write.target),
    identity: thread === undefined ? identityOf(write.target) : thread.identity,
    sequence: (thread?.head.sequence ?? 0) + 1,
    parentCheckpointId: thread?.head.checkpointId,
    sourceCheckpointId: undefined,
    origin: "issued",
    createTime: write.now,
    writtenTime: undefined,
    host,
    format,
    boundary,
    claimedProof,
    payload,
  };
}

function keyOf(target: Target): string {
  return target.by === "identity" ? target.named.key : target.key;
}

function identityOf(target: Target): Identity | undefined {
  return target.by === "identity" ? target.named.identity : undefined;
}
