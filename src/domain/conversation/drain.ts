import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Drain,
  type DrainBlocker,
  DrainBlockerSchema,
  DrainSchema,
} from "../../gen/fermata/conversation/v1/freeze_pb.ts";
import type { Instant } from "./stored.ts";

/** What one consistent read counted of a drain, before the clock and the support window judge it. */
export interface DrainTally {
  /** The hold; empty for a preview of a scope. */
  readonly freezeId: string;
  readonly frozen: boolean;
  readonly atFreeze: number;
  readonly adoptedSince: number;
  readonly drained: number;
  readonly discarded: number;
  /** What is neither drained nor discarded. */
  readonly active: readonly ActiveGroup[];
  readonly quarantined: Sampled;
  /** Goes up with every write that changes a number. */
  readonly revision: number;
}

/** How many, and the first of their ids. */
export interface Sampled {
  readonly count: number;
  readonly checkpointIds: readonly string[];
}

/** Artifacts of one format for which one leaf speaks against a replay: none with '', and absent while nobody has judged. */
export interface ActiveGroup extends Sampled {
  readonly format: string;
  readonly leaf: string | undefined;
}

const mostBlockers = 20;
const mostIds = 20;

/**
 * The drain at this moment. `expired` are the formats that no replay is answered for any more. What nobody has judged
 * is still to be moved: unknown never means done.
 */
export function drainOf(tally: DrainTally, expired: ReadonlySet<string>, now: Instant): Drain {
  const past = tally.active.filter(({ format }) => expired.has(format));
  const open = tally.active.filter(({ format }) => !expired.has(format));
  const terminal = open.filter(({ leaf }) => leaf !== undefined && leaf !== "");
  const remaining = total(open) - total(terminal);
  const { freezeId, atFreeze, adoptedSince, drained, discarded, quarantined } = tally;
  return create(DrainSchema, {
    freezeId,
    atFreeze: BigInt(atFreeze),
    adoptedSince: BigInt(adoptedSince),
    remaining: BigInt(remaining),
    drained: BigInt(drained),
    terminalUnsafe: BigInt(total(terminal)),
    expired: BigInt(total(past)),
    discarded: BigInt(discarded),
    quarantined: BigInt(quarantined.count),
    unscanned: BigInt(total(open.filter(({ leaf }) => leaf === undefined))),
    atFixedPoint: tally.frozen && remaining === 0 && quarantined.count === 0,
    revision: BigInt(tally.revision + expired.size), // an end passes without a write
    blockers: blockersOf(terminal, past, quarantined),
    readTime: timestampFromMs(now),
  });
}

/** By leaf, the most frequent first. Quarantined rows wait for a person as well, though they are outside of the sum. */
function blockersOf(
  terminal: readonly ActiveGroup[],
  past: readonly ActiveGroup[],
  quarantined: Sampled,
): DrainBlocker[] {
  const all = [
    ...terminal.map(({ leaf = "", ...group }) => ({ reason: leaf, ...group })),
    ...past.map((group) => ({ reason: "HORIZON_EXPIRED", ...group })),
    { reason: "AMBIGUOUS_THREAD_KEY", ...quarantined },
  ];
  const byReason = Object.entries(Object.groupBy(all, ({ reason }) => reason));
  return byReason
    .map(([reason, groups = []]) => ({
      reason,
      count: total(groups),
      ids: groups.flatMap((group) => group.checkpointIds),
    }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, mostBlockers)
    .map(({ reason, count, ids }) =>
      create(DrainBlockerSchema, { reason, count: BigInt(count), checkpointIds: ids.slice(0, mostIds) }),
    );
}

function total(groups: readonly { readonly count: number }[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}
