import { readFileSync } from "node:fs";
import { CommandEnd, exitCodes } from "./exit.ts";

const STDIN = 0;

/** The text of a file that the command line names; `-` is the standard input. Ends the command if it cannot be read. */
export function readInput(name: string): string {
  try {
    return readFileSync(name === "-" ? STDIN : name, "utf8").replace(/^\uFEFF/, "");
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("code" in thrown)) throw thrown;
    throw new CommandEnd(exitCodes.usage, `${inputName(name)} cannot be read (${String(thrown.code)})`);
  }
}

/** What messages call it. */
export function inputName(name: string): string {
  return name === "-" ? "the standard input" : name;
}
