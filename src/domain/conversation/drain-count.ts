import { covers, type Hold } from "./hold.ts";

/** That a hold counts a head which came into its scope. `unproved`: its tenant might be the hold's. */
export interface Counted {
  readonly freezeId: string;
  readonly as: "since" | "unproved";
}

/** A head that was adopted or attributed. */
export interface CountedHead {
  /** Absent: no tenant is proved. */
  readonly tenantId: string | undefined;
  readonly format: string;
}

/** The holds that count a head from now on. One that is still closing has counted a part of the heads, and goes on beside it. */
export function countedBy(holds: readonly Hold[], head: CountedHead): readonly Counted[] {
  return holds.flatMap(({ freezeId, scope }): readonly Counted[] => {
    if (covers(scope, head)) return [{ freezeId, as: "since" }];
    const might =
      head.tenantId === undefined && "tenantId" in scope && covers(scope, { ...head, tenantId: scope.tenantId });
    return might ? [{ freezeId, as: "unproved" }] : [];
  });
}
