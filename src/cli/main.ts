import "./to-base64.ts"; // Before all others.

import { Command, CommanderError } from "commander";
import { fermataVersion } from "../version.ts";
import { adopt } from "./adopt.ts";
import { attribute } from "./attribute.ts";
import { backup } from "./backup.ts";
import { checkConfig } from "./check-config.ts";
import { completion } from "./completion.ts";
import { discard } from "./discard.ts";
import { drain } from "./drain.ts";
import { erase } from "./erase.ts";
import { CommandEnd, exitCodes, exitCodesHelp } from "./exit.ts";
import { explain } from "./explain.ts";
import { exportCheckpoint } from "./export.ts";
import { formats } from "./formats.ts";
import { freeze } from "./freeze.ts";
import { freezes } from "./freezes.ts";
import { healthcheck } from "./healthcheck.ts";
import { judge } from "./judge.ts";
import { printConfig } from "./print-config.ts";
import { replay } from "./replay.ts";
import { resolve } from "./resolve.ts";
import { restore } from "./restore.ts";
import { resume } from "./resume.ts";
import { serve } from "./serve.ts";
import { show } from "./show.ts";
import { thaw } from "./thaw.ts";
import { threads } from "./threads.ts";
import { transcript } from "./transcript.ts";
import { verify } from "./verify-store.ts";
import { version } from "./version.ts";
import { wait } from "./wait.ts";

const leastNode = 24;

const examples = `Examples:
  fermata serve
  fermata resolve --tools tools.json --skill search
  fermata judge history.json
  fermata explain UNSAFE_BOUNDARY

Each command's --help has examples of its own.
`;

/** Every command by what it is for, in the order of `fermata --help`. */
const commands: Readonly<Record<string, readonly ((root: Command) => Command)[]>> = {
  "The sidecar:": [serve, checkConfig, printConfig, wait, healthcheck],
  "Palettes:": [resolve],
  "Conversations:": [judge, formats, threads, show, resume, transcript, replay, exportCheckpoint, adopt],
  "For operators:": [freeze, thaw, freezes, drain, attribute, discard, erase],
  "Files of the store:": [backup, restore, verify],
  "More:": [explain, version, completion],
};

process.stdout.on("error", endOfOutput);
process.stderr.on("error", () => undefined); // Nobody can be told; the exit code still says it.
process.exitCode = await run(process.argv);

/** Runs one command line; what it answers is the exit code. */
async function run(argv: readonly string[]): Promise<number> {
  if (Number.parseInt(process.versions.node, 10) < leastNode) return refuseNode();
  try {
    await program().parseAsync([...argv]);
    return Number(process.exitCode ?? 0);
  } catch (thrown) {
    return codeOf(thrown);
  }
}

function program(): Command {
  const root = new Command("fermata")
    .description("Decides which tools an agent's turn may offer, and whether a kept conversation may be picked up.")
    .usage("COMMAND [options]")
    .version(fermataVersion, "-V, --version", "show the version")
    .addHelpCommand(
      new Command("help").argument("[command]").description("Show the help of a command").helpGroup("More:"),
    )
    .addHelpText("after", `\n${examples}${exitCodesHelp}`);
  for (const [title, made] of Object.entries(commands)) {
    for (const command of made) root.addCommand(command(root).helpGroup(title));
  }
  // Commands made by themselves do not inherit this: without it a slip in one would end with 1.
  for (const one of [root, ...root.commands]) {
    one.exitOverride().helpOption("-h, --help", "show help").showHelpAfterError("(--help shows an example)");
  }
  return root;
}

function codeOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : exitCodes.usage;
  if (thrown instanceof CommandEnd) return told(thrown.message, thrown.code);
  const stack = thrown instanceof Error ? thrown.stack : String(thrown);
  return told(`this is a bug in fermata, please report it\n${stack}`, exitCodes.bug);
}

function told(message: string, code: number): number {
  if (message !== "") process.stderr.write(`fermata: ${message}\n`);
  return code;
}

function refuseNode(): number {
  return told(`needs Node ${leastNode} or newer, and this is ${process.versions.node}`, exitCodes.config);
}

/** A reader that has seen enough (`| head`) is no fault; a disk that is full is one. */
function endOfOutput({ code }: NodeJS.ErrnoException): void {
  process.exit(code === "EPIPE" ? undefined : told(`the output cannot be written (${code})`, exitCodes.store));
}
