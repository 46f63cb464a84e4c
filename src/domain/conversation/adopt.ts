import { IssuanceFrozen_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { countedBy } from "./drain-count.ts";
import { ENVELOPE_VERSION, envelopeDigest, sameBytes } from "./envelope.ts";
import { frozenBy, type Hold, possibleHold } from "./hold.ts";
import { repeat } from "./issue.ts";
import { unattributed } from "./legacy-key.ts";
import type { Header, Instant, StoredCheckpoint } from "./stored.ts";
import type { Submitted } from "./submitted.ts";
import type { Identity, LegacyTarget, Target } from "./thread-key.ts";
import type { Append, Change, Facts } from "./write.ts";

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
  const { checkpointId: actualHead, sequence } = thread.head;
  return refuse("headConflict", { expectedHead: "", actualHead, actualSequence: BigInt(sequence) });
}

function isSameDocument({ format, payload }: AdoptWrite, { header }: StoredCheckpoint): boolean {
  const same = header.format === format && header.payload.kind === payload.kind;
  return same && sameBytes(header.payload.digest, payload.digest);
}

function gateRefusal({ target, format, writtenTime }: AdoptWrite, { holds }: Facts): Refusal | undefined {
  const hold = possibleHold(holds, { tenantId: identityOf(target)?.tenantId, format });
  if (hold === undefined || (writtenTime !== undefined && writtenTime < hold.createTime)) return undefined;
  return frozenBy(hold, IssuanceFrozen_Cause.NEW_STATE);
}

function beginning(write: AdoptWrite, holds: readonly Hold[]): Append {
  const header = headerOf(write);
  const { identity, checkpointId, sequence } = header;
  const legacy = write.target.by === "legacy" ? write.target.legacy : undefined;
  const quarantine = legacy?.quarantined === true ? legacy : undefined;
  return {
    kind: "append",
    begins: { now: write.now, legacy },
    thread: {
      key: header.threadKey,
      identity,
      tenantId: identity?.tenantId,
      quarantine: quarantine && {
        separatorsFound: quarantine.separatorsFound,
        separatorsExpected: quarantine.separatorsExpected,
      },
      head: { checkpointId, sequence },
    },
    previous: undefined,
    checkpoint: {
      header,
      envelopeVersion: ENVELOPE_VERSION,
      digest: envelopeDigest(header),
      state: "active",
      prunedAt: undefined,
    },
    counted: countedBy(holds, { tenantId: identity?.tenantId, format: write.format }),
    retry: write.retry,
    midFrame: undefined,
  };
}

function headerOf(write: AdoptWrite): Header {
  const { checkpointId, target, writtenTime, host, format, claimedProof, payload, boundary } = write;
  return {
    checkpointId,
    threadKey: target.by === "legacy" ? target.key : target.named.key,
    identity: identityOf(target),
    sequence: 1,
    parentCheckpointId: undefined,
    sourceCheckpointId: undefined,
    origin: "adopted",
    createTime: write.now,
    writtenTime,
    host,
    format,
    boundary,
    claimedProof,
    payload,
  };
}

/** Only what is proved: a quarantined key names nobody. */
function identityOf(target: AdoptWrite["target"]): Identity | undefined {
  if (target.by === "identity") return target.named.identity;
  return target.legacy.quarantined ? undefined : target.legacy.positional;
}
