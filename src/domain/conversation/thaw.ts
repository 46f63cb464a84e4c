import { type Outcome, ok, refuse } from "../outcome.ts";
import { isWithin } from "./freeze-scope.ts";
import type { Hold, HoldScope } from "./hold.ts";
import type { Instant } from "./stored.ts";

/** The end of one hold, and of its drain. */
export interface ThawWrite {
  readonly kind: "thaw";
  readonly freezeId: string;
  readonly actor: string;
  readonly reason: string;
  readonly now: Instant;
}

/** What the engine reads for a thaw. */
export interface ThawFacts {
  /** Absent: no hold of this id was ever set. */
  readonly hold: { readonly scope: HoldScope; readonly thawed: boolean } | undefined;
  /** The other holds that are not thawed. */
  readonly others: readonly Hold[];
  readonly epoch: number;
}

/** What holds after a thaw: frozen, while another hold covers all of the scope. */
export interface Thawed {
  readonly epoch: number;
  readonly issuance: "open" | "frozen";
}

/** What the engine does: nothing the second time. */
export interface ThawChange {
  readonly kind: "thaw" | "answered";
  readonly thawed: Thawed;
}

/** Ends this hold and no other: two operators do not thaw each other. */
export function decideThaw({ freezeId }: ThawWrite, { hold, others, epoch }: ThawFacts): Outcome<ThawChange> {
  if (hold === undefined) return refuse("freezeNotFound", { freezeId });
  const held = others.some(({ scope }) => isWithin(hold.scope, scope));
  return ok({ kind: hold.thawed ? "answered" : "thaw", thawed: { epoch, issuance: held ? "frozen" : "open" } });
}
