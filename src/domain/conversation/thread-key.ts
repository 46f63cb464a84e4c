import type { ThreadIdentity } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { AmbiguousThreadKey_Direction, SessionIdentity_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { type Identity, unusableValue } from "./identity.ts";
import { type Derivation, type LegacyKey, legacyKeyOf } from "./legacy-key.ts";

/** A key that was derived from a usable identity, or that names a thread which exists. Opaque to everybody else. */
export type ThreadKey = string & { readonly threadKey: unique symbol };

/** The name of the derivation that new keys are minted by. */
export const MINTING_DERIVATION = "tk1";

/** How keys are made here: the store's separator, and how older hosts made theirs. */
export interface KeyRules {
  readonly separator: string;
  readonly derivations: readonly Derivation[];
}

/** A thread named by its identity: the key that is minted for it, and the keys under which older hosts may have left it. */
export interface NamedThread {
  readonly identity: Identity;
  readonly key: ThreadKey;
  readonly legacyKeys: readonly string[];
}

/** Which thread a call is about: named by an identity, or the exact key of one that exists. */
export type Target =
  | { readonly by: "identity"; readonly named: NamedThread }
  | { readonly by: "key"; readonly key: string };

/** A key that comes without identity, at its adoption: what it says by the rule that made it. */
export interface LegacyTarget {
  readonly by: "legacy";
  readonly key: string;
  readonly legacy: LegacyKey;
}

/** The thread of a checkpoint that is replayed. */
export interface SourceTarget {
  readonly by: "source";
  readonly checkpointId: string;
}

/**
 * Checks an identity and mints its thread key. A missing identity is an empty tenant. The separator is checked last and
 * only in tenant and sub-tenant: there it would mint a key that reads back as somebody else's; the session escapes it.
 */
export function nameThread(found: ThreadIdentity | undefined, rules: KeyRules): Outcome<NamedThread> {
  const identity = {
    tenantId: found?.tenantId ?? "",
    subTenantId: found?.subTenantId ?? "",
    sessionId: found?.sessionId ?? "",
  };
  const refusal = firstRefusal([
    () => unusableValue("tenant_id", identity.tenantId),
    () => unusableSubTenant(found?.subTenantId),
    () => unusableValue("session_id", identity.sessionId),
    () => unmintable("tenant_id", identity.tenantId, rules.separator),
    () => unmintable("sub_tenant_id", identity.subTenantId, rules.separator),
  ]);
  return refusal ?? ok(named(identity, rules));
}

/** Refuses an identity that a tenant is only claimed for: compared and never minted, so it may carry the separator. */
export function unusableClaim(claimedTenantId: string | undefined): Refusal | undefined {
  return claimedTenantId === undefined ? undefined : unusableValue("claimed_tenant_id", claimedTenantId);
}

/** Refuses an owner that an operator records. It is stored and compared, never minted, so it may carry the separator, too. */
export function unusableOwner(owner: {
  readonly tenantId: string;
  readonly subTenantId?: string | undefined;
  readonly sessionId?: string | undefined;
}): Refusal | undefined {
  const { sessionId } = owner;
  return firstRefusal([
    () => unusableValue("tenant_id", owner.tenantId),
    () => unusableSubTenant(owner.subTenantId),
    () => (sessionId === undefined ? undefined : unusableValue("session_id", sessionId)),
  ]);
}

function unusableSubTenant(subTenantId: string | undefined): Refusal | undefined {
  if (subTenantId === undefined) return undefined;
  const refusal = unusableValue("sub_tenant_id", subTenantId);
  if (refusal !== undefined || subTenantId !== "_") return refusal;
  return refuse("sessionIdentity", { cause: SessionIdentity_Cause.RESERVED_VALUE, field: "sub_tenant_id" });
}

function unmintable(field: string, value: string, separator: string): Refusal | undefined {
  const separatorsFound = value.split(separator).length - 1;
  if (separatorsFound === 0) return undefined;
  const direction = AmbiguousThreadKey_Direction.MINT;
  return refuse("ambiguousThreadKey", { direction, field, separatorsFound, separatorsExpected: 0 });
}

function named(identity: Identity, rules: KeyRules): NamedThread {
  const key = mintKey(identity, rules.separator);
  const legacy = rules.derivations.map((derivation) => legacyKeyOf(identity, derivation, rules.separator));
  return { identity, key, legacyKeys: [...new Set([key, ...legacy.filter((found) => found !== undefined)])] };
}

/** The session percent-encodes the separator and `%`, so a minted key always holds exactly two separators. */
function mintKey({ tenantId, subTenantId, sessionId }: Identity, separator: string): ThreadKey {
  const escaped = sessionId.replaceAll("%", "%25").replaceAll(separator, percent(separator));
  const key = [tenantId, subTenantId === "" ? "_" : subTenantId, escaped].join(separator);
  return key as ThreadKey; // This is the one place that proves it.
}

function percent(separator: string): string {
  return `%${separator.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
