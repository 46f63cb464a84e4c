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

/** Every command, one line each, in the order of `fermata --help`. */
const commands: readonly ((root: Command) => Command)[] = [
  serve,
  checkConfig,
  printConfig,
  wait,
  healthcheck,
  resolve,
  judge,
  formats,
  threads,
  show,
  resume,
  transcript,
  replay,
  exportCheckpoint,
  adopt,
  attribute,
  freeze,
  thaw,
  freezes,
  drain,
  discard,
  erase,
  backup,
  restore,
  verify,
  explain,
  version,
  completion,
];

process.stdout.on("error", endQuietly);
process.stderr.on("error", endQuietly);
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
    .version(fermataVersion)
    .addHelpText("after", exitCodesHelp);
  for (const command of commands) root.addCommand(command(root));
  // Commands made by themselves do not inherit this: without it a slip in one would end with 1.
  for (const one of [root, ...root.commands]) one.exitOverride().showHelpAfterError("(--help shows an example)");
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

/** A reader that has seen enough (`| head`) is no fault; anything else is. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}
