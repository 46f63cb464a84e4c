import type { DiscardWrite } from "../../domain/conversation/discard.ts";
import type { FreezeWrite } from "../../domain/conversation/freeze.ts";
import type { ThawWrite } from "../../domain/conversation/thaw.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { StoreFault } from "../fault.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { discard } from "./discard.ts";
import { forgetDrains, forgetVerdicts } from "./forget-drains.ts";
import { type FreezeRound, freezeSome, thaw } from "./freeze.ts";
import { refuseMovedOn } from "./gate.ts";

/** What an operator writes in one transaction; a freeze and an erasure take several. */
export type OneWrite = ThawWrite | DiscardWrite;

/** An operator's write in a transaction of its own. The disk's reserve is for these. */
export function operate(connection: Connection, write: OneWrite, until: number): Outcome<unknown> {
  refuseExpired(until);
  return inTransaction(connection, () => {
    refuseMovedOn(connection);
    return decided(connection, write);
  });
}

/** One round of a freeze in a transaction of its own. */
export function freezeRound(connection: Connection, write: FreezeWrite, until: number): FreezeRound {
  refuseExpired(until);
  return inTransaction(connection, () => {
    refuseMovedOn(connection);
    return freezeSome(connection, write);
  });
}

/** One round of forgetting in a transaction of its own; answers whether there may be more. */
export function forgetRound(connection: Connection, what: "drains" | "verdicts"): boolean {
  return inTransaction(connection, () => {
    refuseMovedOn(connection);
    return what === "drains" ? forgetDrains(connection) : forgetVerdicts(connection);
  });
}

/** Refuses what its caller has stopped waiting for before it began. */
export function refuseExpired(until: number): void {
  if (until <= Date.now()) throw new StoreFault("expired", "the caller's deadline passed before the write began");
}

function decided(connection: Connection, write: OneWrite): Outcome<unknown> {
  switch (write.kind) {
    case "thaw":
      return thaw(connection, write);
    case "discard":
      return discard(connection, write);
  }
}
