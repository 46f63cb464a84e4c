import { type FaultClass, StoreFault } from "../fault.ts";

/** SQLite's primary result codes that are faults of the machine; all others are bugs of ours. */
const classes: ReadonlyMap<number, FaultClass> = new Map([
  [5, "busy"],
  [6, "busy"],
  [7, "memory"],
  [8, "read_only"],
  [10, "io"],
  [11, "corrupt"],
  [13, "full"],
  [14, "io"],
  [26, "corrupt"],
]);

/** The fault behind what SQLite threw; a bug stays what it is. */
export function asFault(thrown: unknown): unknown {
  if (thrown instanceof StoreFault) return thrown;
  const fault = isOutOfRange(thrown) ? "corrupt" : classes.get(resultCode(thrown) & 0xff);
  return fault === undefined ? thrown : new StoreFault(fault, messageOf(thrown), { cause: thrown });
}

/** Whether it befell the whole database, and with it everybody whose work was in the same transaction. */
export function isOfTheMachine(thrown: unknown): boolean {
  return thrown instanceof StoreFault || classes.has(resultCode(thrown) & 0xff);
}

/** Runs one step on the database and lets only faults and bugs out of it. */
export function guarded<T>(step: () => T): T {
  try {
    return step();
  } catch (thrown) {
    throw asFault(thrown);
  }
}

/** Whether another connection holds the lock. */
export function isBusy(thrown: unknown): boolean {
  return classes.get(resultCode(thrown) & 0xff) === "busy";
}

/** A whole number in a row that is larger than any that we write. */
function isOutOfRange(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_OUT_OF_RANGE";
}

function resultCode(thrown: unknown): number {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return 0;
  return typeof thrown.errcode === "number" ? thrown.errcode : 0;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : "the database did not answer";
}
