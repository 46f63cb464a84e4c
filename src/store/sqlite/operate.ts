import type { OperatorWrite } from "../../domain/conversation/operator.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { StoreFault } from "../fault.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { discard } from "./discard.ts";
import { erase } from "./erase.ts";
import { freeze, thaw } from "./freeze.ts";
import { refuseMovedOn } from "./gate.ts";

/** An operator's write in a transaction of its own. The disk's reserve is for these. */
export function operate(connection: Connection, write: OperatorWrite, until: number): Outcome<unknown> {
  if (until <= Date.now()) throw new StoreFault("expired", "the caller's deadline passed before the write began");
  if (write.kind === "erase") return erase(connection, write);
  return inTransaction(connection, () => {
    refuseMovedOn(connection);
    return decided(connection, write);
  });
}

function decided(connection: Connection, write: Exclude<OperatorWrite, { kind: "erase" }>): Outcome<unknown> {
  switch (write.kind) {
    case "freeze":
      return freeze(connection, write);
    case "thaw":
      return thaw(connection, write);
    case "discard":
      return discard(connection, write);
  }
}
