import { hex, sha256 } from "../digest.ts";
import type { HoldScope } from "./hold.ts";

/** The parts that a scope is looked up by; '' where it names none. */
export interface ScopeParts {
  readonly tenantId: string;
  readonly format: string;
}

/**
 * The name of a scope that stays when its hold is over: it tells whether a late retry asks for the same, and names no
 * tenant who may have been erased since. The whole store is `store`.
 */
export function scopeKey(scope: HoldScope): string {
  if (scope.kind === "store") return "store";
  const { tenantId, format } = scopeParts(scope);
  return hex(sha256("fermata/scope/1", [scope.kind, tenantId, format]));
}

/** The tenant and the format of a scope. */
export function scopeParts(scope: HoldScope): ScopeParts {
  switch (scope.kind) {
    case "store":
      return { tenantId: "", format: "" };
    case "format":
      return { tenantId: "", format: scope.format };
    case "tenant":
      return { tenantId: scope.tenantId, format: "" };
    case "tenant_format":
      return { tenantId: scope.tenantId, format: scope.format };
  }
}

/** Whether everything of the one scope is in the other, too. */
export function isWithin(scope: HoldScope, other: HoldScope): boolean {
  const [inner, outer] = [scopeParts(scope), scopeParts(other)];
  const sameTenant = outer.tenantId === "" || outer.tenantId === inner.tenantId;
  return sameTenant && (outer.format === "" || outer.format === inner.format);
}
