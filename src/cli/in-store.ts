import { StoreFault } from "../store/fault.ts";
import { CommandEnd, exitCodes } from "./exit.ts";

/** Runs one step on the files of a store; a fault of theirs ends the command. */
export function inStore<T>(step: () => T): T {
  try {
    return step();
  } catch (thrown) {
    if (thrown instanceof StoreFault) throw new CommandEnd(exitCodes.store, `${thrown.message} (${thrown.fault})`);
    throw thrown;
  }
}
