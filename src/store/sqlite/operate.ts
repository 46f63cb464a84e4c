import type { DiscardWrite } from "../../domain/conversation/discard.ts";
import type { FreezeWrite } from "../../domain/conversation/freeze.ts";
import type { ThawWrite } from "../../domain/conversation/thaw.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { StoreFault } from "../fault.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { discard } from "./discard.ts";
import { freeze, thaw } from "./freeze.ts";
import { refuseMovedOn } from "./gate.ts";

/** What an operator writes in one transaction; an erasure takes several. */
export type OneWrite = FreezeWrite | ThawWrite | DiscardWrite;

/** An operator's write in a transaction of its own. The disk's reserve is for these. */
export function operate(connection: Connection, write: OneWrite, until: number): Outcome<unknown> {
  refuseExpired(until);
  return inTransaction(connection, () => {
    refuseMovedOn(connection);
    return decided(connection, write);
  });
}

/** Refuses what its caller has stopped waiting for before it began. */
export function refuseExpired(until: number): void {
  if (until <= Date.now()) throw new StoreFault("expired", "the caller's deadline passed before the write began");
}

function decided(connection: Connection, write: OneWrite): Outcome<unknown> {
  switch (write.kind) {
    case "freeze":
      return freeze(connection, write);
    case "thaw":
      return thaw(connection, write);
    case "discard":
      return discard(connection, write);
  }
}
