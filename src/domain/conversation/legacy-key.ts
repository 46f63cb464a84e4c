import { AmbiguousThreadKey_Direction, SessionIdentity_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { type Identity, unusableValue } from "./identity.ts";

/** A part of an identity as a derivation names it. */
export type Segment = "tenant" | "sub_tenant" | "session";

/** How an older host made its thread keys: segments in their order, nothing escaped, `_` for an absent sub-tenant. */
export interface Derivation {
  readonly name: string;
  readonly segments: readonly Segment[];
  readonly separators: number;
}

/** What a stored key says by position. A quarantined one may say it about somebody else, so it names no tenant. */
export interface LegacyKey {
  readonly derivation: string;
  readonly separatorsFound: number;
  readonly separatorsExpected: number;
  readonly quarantined: boolean;
  readonly positional: Identity;
}

/** The derivation of the origin package's 9.x line: the same three segments as ours, with the session unescaped. */
export const symfonic9: Derivation = {
  name: "symfonic/9",
  segments: ["tenant", "sub_tenant", "session"],
  separators: 2,
};

/** The key that a host with this derivation would have used; nothing if it could not express the identity. */
export function legacyKeyOf(identity: Identity, derivation: Derivation, separator: string): string | undefined {
  const { segments } = derivation;
  if (identity.subTenantId !== "" && !segments.includes("sub_tenant")) return undefined;
  if (!segments.includes("tenant") || !segments.includes("session")) return undefined;
  return segments.map((segment) => spoken(identity, segment)).join(separator);
}

/**
 * Reads a stored key by the rule that made it. Exactly its number of separators and no `%` in the session prove the
 * identity; more, or a `%`, leave it quarantined; fewer can't be read at all.
 */
export function readLegacyKey(key: string, derivation: Derivation, separator: string): Outcome<LegacyKey> {
  const parts = key.split(separator);
  const separatorsFound = parts.length - 1;
  if (separatorsFound < derivation.separators) return notDerivable();
  const positional = byPosition(parts, derivation, separator);
  const exact = separatorsFound === derivation.separators;
  if (exact && parts.some((part) => unusableValue("thread_key", part) !== undefined)) return notDerivable();
  const whole = exact && !positional.sessionId.includes("%");
  const proved = whole && positional.tenantId !== "" && positional.sessionId !== "";
  const separatorsExpected = derivation.separators;
  return ok({ derivation: derivation.name, separatorsFound, separatorsExpected, quarantined: !proved, positional });
}

/** The refusal of an operation that must name the tenant of a quarantined key. It stays resumable by its exact key. */
export function unattributed(found: Pick<LegacyKey, "separatorsFound" | "separatorsExpected">): Refusal {
  const { separatorsFound, separatorsExpected } = found;
  const direction = AmbiguousThreadKey_Direction.ATTRIBUTE;
  const field = "thread_key";
  return refuse("ambiguousThreadKey", { direction, field, separatorsFound, separatorsExpected, resumable: true });
}

function notDerivable(): Refusal {
  return refuse("sessionIdentity", { cause: SessionIdentity_Cause.NOT_DERIVABLE, field: "thread_key" });
}

function spoken(identity: Identity, segment: Segment): string {
  switch (segment) {
    case "tenant":
      return identity.tenantId;
    case "sub_tenant":
      return identity.subTenantId === "" ? "_" : identity.subTenantId;
    case "session":
      return identity.sessionId;
  }
}

/** The last segment takes what is left, separators included: that is how such keys came to have too many. */
function byPosition(parts: readonly string[], { segments }: Derivation, separator: string): Identity {
  const at = (segment: Segment): string => {
    const position = segments.indexOf(segment);
    if (position < 0) return "";
    const last = position === segments.length - 1;
    return last ? parts.slice(position).join(separator) : (parts[position] ?? "");
  };
  const subTenant = at("sub_tenant");
  return { tenantId: at("tenant"), subTenantId: subTenant === "_" ? "" : subTenant, sessionId: at("session") };
}
