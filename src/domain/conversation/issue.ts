import { IssuanceFrozen_Cause, type UnsafeBoundary } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { headConflict, headUnknown } from "./expected-head.ts";
import { repeat } from "./first-answer.ts";
import { coveringHold, frozenBy, holdsATenant } from "./hold.ts";
import type { Identity } from "./identity.ts";
import { unattributed } from "./legacy-key.ts";
import type { StoredThread } from "./stored.ts";
import { checkpointAt, type Submitted } from "./submitted.ts";
import type { Target } from "./thread-key.ts";
import type { Append, Change } from "./write.ts";
import type { Facts } from "./write-facts.ts";

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
    () => headUnknown(write.expectedHead, facts),
    () => write.unfit,
    () => gateRefusal(write, facts),
    () => headConflict(write.expectedHead, facts.thread),
  ]);
  return refusal ?? ok(append(write, facts));
}

/** Rows 4 and 5: never a second thread beside a quarantined one, never a first one by key. */
function threadRefusal({ target }: IssueWrite, { thread, beside }: Facts): Refusal | undefined {
  if (target.by === "key") return thread === undefined ? refuse("threadNotFound", {}) : undefined;
  return beside === undefined ? undefined : unattributed(beside);
}

function gateRefusal({ format, target }: IssueWrite, { thread, holds }: Facts): Refusal | undefined {
  const hold = coveringHold(holds, { tenantId: ownerOf(target, thread), format });
  if (hold !== undefined) return frozenBy(hold, IssuanceFrozen_Cause.NEW_STATE);
  const quarantine = thread?.quarantine;
  return quarantine !== undefined && holdsATenant(holds) ? unattributed(quarantine) : undefined;
}

function ownerOf(target: Target, thread: StoredThread | undefined): string | undefined {
  return target.by === "identity" ? target.named.identity.tenantId : thread?.tenantId;
}

function append(write: IssueWrite, { thread }: Facts): Append {
  const { target, checkpointId, now, retry, midFrame } = write;
  const key = thread?.key ?? keyOf(target);
  const identity = thread === undefined ? identityOf(target) : thread.identity;
  const head = { checkpointId, sequence: (thread?.head.sequence ?? 0) + 1 };
  return {
    kind: "append",
    begins: thread === undefined ? { now, legacy: undefined } : undefined,
    thread: { key, identity, tenantId: ownerOf(target, thread), quarantine: thread?.quarantine, head },
    previous: thread?.head,
    checkpoint: checkpointAt(write, {
      threadKey: key,
      identity,
      sequence: head.sequence,
      parentCheckpointId: thread?.head.checkpointId,
      sourceCheckpointId: undefined,
      origin: "issued",
      writtenTime: undefined,
    }),
    retry,
    midFrame,
  };
}

function keyOf(target: Target): string {
  return target.by === "identity" ? target.named.key : target.key;
}

function identityOf(target: Target): Identity | undefined {
  return target.by === "identity" ? target.named.identity : undefined;
}
