import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { IssuanceFrozen_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Refusal, refuse } from "../outcome.ts";
import type { Instant } from "./stored.ts";

/** What a hold stops issuance in. */
export type HoldScope =
  | { readonly kind: "store" }
  | { readonly kind: "format"; readonly format: string }
  | { readonly kind: "tenant"; readonly tenantId: string }
  | { readonly kind: "tenant_format"; readonly tenantId: string; readonly format: string };

/** One operator's freeze that is not thawed. Closing: new issuance is refused already, the wall is not answered for yet. */
export interface Hold {
  readonly freezeId: string;
  readonly scope: HoldScope;
  readonly createTime: Instant;
  readonly freezeTime: Instant | undefined;
  readonly epoch: number | undefined;
}

/** What would be written, as a gate sees it. An unknown tenant is nobody's: only holds without a tenant cover it. */
export interface Issuance {
  readonly tenantId: string | undefined;
  readonly format: string;
}

/** The oldest hold that covers it; at a tie store, format, tenant, tenant and format. */
export function coveringHold(holds: readonly Hold[], issuance: Issuance): Hold | undefined {
  return oldest(holds.filter((hold) => covers(hold.scope, issuance)));
}

/** The oldest hold that might cover it: of an unproved tenant, every hold that names one might. */
export function possibleHold(holds: readonly Hold[], issuance: Issuance): Hold | undefined {
  const might = ({ scope }: Hold): boolean =>
    covers(scope, issuance) || (issuance.tenantId === undefined && "tenantId" in scope);
  return oldest(holds.filter(might));
}

/** The one that answers where several would. */
export function oldest(holds: readonly Hold[]): Hold | undefined {
  return holds.toSorted(byAge)[0];
}

/** Whether any hold names a tenant: then a write of unproved tenant can't be decided. */
export function holdsATenant(holds: readonly Hold[]): boolean {
  return holds.some(({ scope }) => scope.kind === "tenant" || scope.kind === "tenant_format");
}

/** The refusal by this hold. */
export function frozenBy(hold: Hold, cause: IssuanceFrozen_Cause): Refusal {
  return refuse("issuanceFrozen", {
    cause,
    freezeId: hold.freezeId,
    scope: scopeName(hold.scope),
    ...(hold.freezeTime === undefined ? {} : { freezeTime: timestampFromMs(hold.freezeTime) }),
    epoch: BigInt(hold.epoch ?? 0),
  });
}

/** A scope in words, as refusals and logs of the operator show it. */
export function scopeName(scope: HoldScope): string {
  switch (scope.kind) {
    case "store":
      return "store";
    case "format":
      return `format ${scope.format}`;
    case "tenant":
      return `tenant ${scope.tenantId}`;
    case "tenant_format":
      return `tenant ${scope.tenantId} format ${scope.format}`;
  }
}

/** Whether a write of this tenant and format is in a scope. */
export function covers(scope: HoldScope, { tenantId, format }: Issuance): boolean {
  switch (scope.kind) {
    case "store":
      return true;
    case "format":
      return scope.format === format;
    case "tenant":
      return scope.tenantId === tenantId;
    case "tenant_format":
      return scope.tenantId === tenantId && scope.format === format;
  }
}

const breadth = { store: 0, format: 1, tenant: 2, tenant_format: 3 } as const;

function byAge(one: Hold, other: Hold): number {
  return one.createTime - other.createTime || breadth[one.scope.kind] - breadth[other.scope.kind];
}
