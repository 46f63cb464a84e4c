import { IssuanceFrozen_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal } from "../outcome.ts";
import { countedBy } from "./drain-count.ts";
import { conflict } from "./expected-head.ts";
import { repeat } from "./first-answer.ts";
import { frozenBy, type Hold, possibleHold } from "./hold.ts";
import type { Identity } from "./identity.ts";
import { type LegacyKey, unattributed } from "./legacy-key.ts";
import type { Instant, Quarantine } from "./stored.ts";
import { checkpointAt, isSameDocument, type Submitted } from "./submitted.ts";
import type { LegacyTarget, Target } from "./thread-key.ts";
import type { Append, Change } from "./write.ts";
import type { Facts } from "./write-facts.ts";

/**
 * Accounts for a row that exists already. It begins a thread and never moves a head. Only a format that is not declared,
 * or newer than any, is unfit: what exists is accounted for, whatever is in it.
 */
export interface AdoptWrite extends Submitted {
  readonly kind: "adopt";
  readonly target: Extract<Target, { by: "identity" }> | LegacyTarget;
  readonly writtenTime: Instant | undefined;
}

/** The order of a write. Expiry does not stand in the way, and a hold only of what was written after it. */
export function decideAdopt(write: AdoptWrite, facts: Facts): Outcome<Change> {
  if (facts.first !== undefined && facts.thread !== undefined) return repeat(write.retry, facts.first, facts.thread);
  const refusal = firstRefusal([
    () => (facts.beside === undefined ? undefined : unattributed(facts.beside)),
    () => write.unfit,
    () => (facts.head === undefined ? gateRefusal(write, facts) : undefined),
  ]);
  return refusal ?? adopt(write, facts);
}

/** What stands at the key already is accounted for: the same document is that checkpoint, another one a conflict. */
function adopt(write: AdoptWrite, { thread, head, holds }: Facts): Outcome<Change> {
  if (thread === undefined) return ok(beginning(write, holds));
  if (head !== undefined && isSameDocument(write, head)) {
    return ok({ kind: "repeat", first: { checkpoint: head, midFrame: undefined }, thread });
  }
  return conflict(undefined, thread);
}

function gateRefusal({ target, format, writtenTime }: AdoptWrite, { holds }: Facts): Refusal | undefined {
  const hold = possibleHold(holds, { tenantId: identityOf(target)?.tenantId, format });
  if (hold === undefined || (writtenTime !== undefined && writtenTime < hold.createTime)) return undefined;
  return frozenBy(hold, IssuanceFrozen_Cause.NEW_STATE);
}

function beginning(write: AdoptWrite, holds: readonly Hold[]): Append {
  const { target, checkpointId, format, now, retry, writtenTime } = write;
  const key = target.by === "legacy" ? target.key : target.named.key;
  const identity = identityOf(target);
  const legacy = target.by === "legacy" ? target.legacy : undefined;
  const tenantId = identity?.tenantId;
  return {
    kind: "append",
    begins: { now, legacy },
    thread: { key, identity, tenantId, quarantine: quarantineOf(legacy), head: { checkpointId, sequence: 1 } },
    previous: undefined,
    checkpoint: checkpointAt(write, {
      threadKey: key,
      identity,
      sequence: 1,
      parentCheckpointId: undefined,
      sourceCheckpointId: undefined,
      origin: "adopted",
      writtenTime,
    }),
    counted: countedBy(holds, { tenantId, format }),
    retry,
    midFrame: undefined,
  };
}

function quarantineOf(legacy: LegacyKey | undefined): Quarantine | undefined {
  if (legacy?.quarantined !== true) return undefined;
  return { separatorsFound: legacy.separatorsFound, separatorsExpected: legacy.separatorsExpected };
}

/** Only what is proved: a quarantined key names nobody. */
function identityOf(target: AdoptWrite["target"]): Identity | undefined {
  if (target.by === "identity") return target.named.identity;
  return target.legacy.quarantined ? undefined : target.legacy.positional;
}
