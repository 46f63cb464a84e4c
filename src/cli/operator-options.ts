import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { type AskOptions, tokenOf } from "./ask.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { withTarget } from "./thread-options.ts";

/** Options of an operator's command. */
export interface OperatorOptions extends AskOptions {
  readonly reason?: string;
}

/** Adds where the operator's calls are served, with which credential, and why. */
export function withOperator(command: Command): Command {
  return withCredential(command).option("--reason <text>", "why, for the record; asked for if it is left out");
}

/** Adds where the operator's calls are served, and with which credential. */
export function withCredential(command: Command): Command {
  return withTarget(command).option(
    "--token-file <file>",
    "file with an operator's token, if the sidecar wants one",
    tokenOf,
  );
}

/** Who does it and why: the user of this machine, and the reason that was given or is asked for now. */
export async function recordOf({
  reason,
}: OperatorOptions): Promise<{ readonly actor: string; readonly reason: string }> {
  const given = reason ?? (await answerTo("reason: "));
  if (given.trim() === "") throw new CommandEnd(exitCodes.usage, "say why with --reason: it is kept for the record");
  return { actor: userInfo().username, reason: given };
}

/** Whether a person says yes to what was shown. A script says so with --yes; where nobody sits, the command ends without it. */
export async function confirmed(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY) {
    throw new CommandEnd(exitCodes.usage, `nothing was done: no terminal to ask "${question}" on; --yes does it`);
  }
  return /^y(?:es)?$/i.test((await answerTo(`${question} [y/N] `)).trim());
}

/** What a person types; nothing where nobody sits. */
async function answerTo(question: string): Promise<string> {
  if (!process.stdin.isTTY) return "";
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await asking.question(question);
  } finally {
    asking.close();
  }
}
