import { type Outcome, ok, refuse } from "../outcome.ts";
import { scopeKey } from "./freeze-scope.ts";
import type { Hold, HoldScope } from "./hold.ts";
import type { Instant } from "./stored.ts";

/** An operator's hold that is to be set, or gone on with. */
export interface FreezeWrite {
  readonly kind: "freeze";
  readonly freezeId: string;
  readonly scope: HoldScope;
  readonly actor: string;
  readonly reason: string;
  readonly now: Instant;
}

/** A hold with who set it, and why. */
export interface ActiveHold extends Hold {
  readonly actor: string;
  readonly reason: string;
}

/** What is kept of a hold for ever. */
export interface KnownHold {
  readonly scopeKey: string;
  readonly state: "closing" | "frozen" | "thawed";
  readonly freezeTime: Instant | undefined;
  readonly epoch: number | undefined;
}

/** What the engine reads for a freeze, under the lock that no issuance can commit beside. */
export interface FreezeFacts {
  readonly hold: KnownHold | undefined;
  /** Whether another hold has frozen the very scope. */
  readonly frozen: boolean;
  /** The epoch of the store. */
  readonly epoch: number;
}

/** The hold as it stands. */
export interface Frozen {
  readonly state: "frozen" | "already_thawed";
  readonly epoch: number;
  readonly freezeTime: Instant | undefined;
}

/** What the engine does: nothing, or the hold closes its scope, counts its heads and is marked FROZEN in this epoch. */
export type FreezeChange =
  | { readonly kind: "answered"; readonly frozen: Frozen }
  | { readonly kind: "freeze"; readonly frozen: Frozen };

/** A hold of this id as it stands; a first one, or one that a crash left closing, becomes FROZEN. */
export function decideFreeze(write: FreezeWrite, { hold, frozen, epoch }: FreezeFacts): Outcome<FreezeChange> {
  if (hold !== undefined && hold.scopeKey !== scopeKey(write.scope)) {
    return refuse("idempotencyKeyReused", { idempotencyKey: write.freezeId });
  }
  if (hold?.state === "thawed") return answered("already_thawed", hold);
  if (hold?.state === "frozen") return answered("frozen", hold);
  const own = frozen ? epoch : epoch + 1; // The epoch goes up when a scope becomes frozen, not when it is once more.
  return ok({ kind: "freeze", frozen: { state: "frozen", epoch: own, freezeTime: write.now } });
}

function answered(state: Frozen["state"], { epoch = 0, freezeTime }: KnownHold): Outcome<FreezeChange> {
  return ok({ kind: "answered", frozen: { state, epoch, freezeTime } });
}
