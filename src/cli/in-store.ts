import { StoreFault } from "../store/fault.ts";
import { CommandEnd, exitCodes } from "./exit.ts";

/** Runs one step on the files of a store; a fault of theirs ends the command, and so does what the file system refuses. */
export function inStore<T>(place: string, step: () => T): T {
  try {
    return step();
  } catch (thrown) {
    if (thrown instanceof StoreFault) {
      throw new CommandEnd(exitCodes.store, `${place}: ${thrown.message} (${thrown.fault})`);
    }
    if (!(thrown instanceof Error && "syscall" in thrown && "code" in thrown)) throw thrown;
    throw new CommandEnd(exitCodes.store, `${place}: ${thrown.message}`);
  }
}
