import { IssuanceFrozen_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Refusal, refuse } from "../outcome.ts";
import { frozenBy, type Hold, oldest } from "./hold.ts";
import { unattributed } from "./legacy-key.ts";
import type { StoredThread } from "./stored.ts";
import type { Submitted } from "./submitted.ts";
import type { SourceTarget } from "./thread-key.ts";
import type { Facts, ReplaySource } from "./write-facts.ts";

/** What the gate judges a replay's output by. */
interface Gated {
  readonly thread: StoredThread;
  readonly source: ReplaySource;
  readonly holds: readonly Hold[];
}

/**
 * A replay goes through a hold, or no drain would end, but not into a format that is frozen itself, and only from a
 * head that the hold counted: the replay of a replay made under it would be new state without end.
 */
export function replayGate({ format }: Pick<Submitted, "format">, gated: Gated): Refusal | undefined {
  const { thread, holds } = gated;
  const frozenFormat = oldest(holds.filter((hold) => freezesFormat(hold, format, thread.tenantId)));
  if (frozenFormat !== undefined) return frozenBy(frozenFormat, IssuanceFrozen_Cause.OUTPUT_FORMAT_FROZEN);
  const uncounted = oldest(holds.filter((hold) => freezesOwner(hold, thread.tenantId) && !counted(hold, gated)));
  if (uncounted !== undefined) return frozenBy(uncounted, IssuanceFrozen_Cause.NEW_STATE);
  return thread.quarantine !== undefined && holds.some((hold) => mightRefuse(hold, format, gated))
    ? unattributed(thread.quarantine)
    : undefined;
}

/**
 * A source that this store never had. While a hold may cover it, it must be adopted first. Its tenant and format are
 * not known, so a hold on the store or on any format may; one on a tenant would tell a stranger of that tenant.
 */
export function unaccountedSource({ checkpointId }: SourceTarget, { holds }: Pick<Facts, "holds">): Refusal {
  const hold = oldest(holds.filter(({ scope }) => scope.kind === "store" || scope.kind === "format"));
  if (hold !== undefined) return frozenBy(hold, IssuanceFrozen_Cause.UNACCOUNTED_LEGACY);
  return refuse("checkpointNotFound", { checkpointId });
}

function freezesFormat({ scope }: Hold, format: string, tenantId: string | undefined): boolean {
  if (scope.kind === "format") return scope.format === format;
  return scope.kind === "tenant_format" && scope.format === format && scope.tenantId === tenantId;
}

function freezesOwner({ scope }: Hold, tenantId: string | undefined): boolean {
  return scope.kind === "store" || (scope.kind === "tenant" && scope.tenantId === tenantId);
}

/** A hold that is not frozen yet has counted nothing: it will count the head of now, unless a replay has made it since. */
function counted(hold: Hold, { thread, source }: Gated): boolean {
  if (hold.freezeTime !== undefined) return source.countedBy.includes(hold.freezeId);
  const { checkpointId, origin, createTime } = source.checkpoint.header;
  return checkpointId === thread.head.checkpointId && (origin !== "replayed" || createTime < hold.createTime);
}

/** Of a thread without a proved tenant any tenant's hold might be its own. */
function mightRefuse(hold: Hold, format: string, gated: Gated): boolean {
  if (hold.scope.kind === "tenant_format") return hold.scope.format === format;
  return hold.scope.kind === "tenant" && !counted(hold, gated);
}
