import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Command } from "commander";
import type { Checkpoint } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { ConversationService } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { allCheckpoints } from "./all-checkpoints.ts";
import { ask } from "./ask.ts";
import { counted } from "./counted.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { confirmed, type OperatorOptions, recordOf, withOperator } from "./operator-options.ts";
import { openProgress } from "./progress.ts";
import { timeText } from "./show-checkpoint.ts";
import { printable, quiet } from "./style.ts";

interface Options extends OperatorOptions {
  readonly remainingOf?: string;
  readonly olderThan?: string;
  readonly yes?: boolean;
}

const examples = `
Examples:
  fermata discard 01900000-0000-7000-8000-000000000000 --reason "the user gave it up"
  fermata discard --remaining-of RETIRE-17 --older-than 90d
  fermata discard --remaining-of RETIRE-17 --yes --json --reason "retired, OPS-17"`;

const day = 86_400_000;
const shown = 20;

/** `fermata discard`: gives checkpoints up, by id or by filter. What would be given up is shown first. */
export function discard(): Command {
  return withOperator(new Command("discard"))
    .description("Give checkpoints up, recorded, so that a drain can end; shows them and asks first")
    .argument("[ids...]", "ids of checkpoints")
    .option("--remaining-of <id>", "all that the drain of this hold still waits for")
    .option(
      "--older-than <days>",
      "of these only what was stored longer ago, in days: 90d; an adopted row counts from its adoption",
    )
    .option("--yes", "do not ask")
    .addHelpText("after", examples)
    .action(run);
}

async function run(ids: readonly string[], options: Options): Promise<void> {
  const chosen = await choose(ids, options);
  const count = counted(chosen.length, "checkpoint");
  if (chosen.length === 0) return tell("there is nothing to discard", [], options);
  if (!(await confirmed(`discard ${count}?`, options.yes))) {
    if (options.json === true) throw new CommandEnd(exitCodes.usage, `${count} would be discarded: add --yes`);
    return tell(`${count} would be discarded; nothing was (--yes does it)`, [], options);
  }
  const record = await recordOf(options);
  const progress = openProgress(chosen.length);
  for (const checkpointId of chosen) {
    await ask(ConversationService.method.discard, { checkpointId, ...record }, options);
    progress.advance(1, "discarded");
  }
  progress.end();
  tell(`${count} discarded`, chosen, options);
}

/** What was done, for a person or for a script. */
function tell(text: string, discarded: readonly string[], { json }: Options): void {
  process.stdout.write(`${json === true ? JSON.stringify({ discarded }, null, 2) : text}\n`);
}

async function choose(ids: readonly string[], options: Options): Promise<readonly string[]> {
  const { remainingOf, olderThan } = options;
  if (ids.length > 0 && remainingOf === undefined) return ids;
  if (ids.length > 0 || remainingOf === undefined) {
    throw new CommandEnd(exitCodes.usage, "name checkpoints by their ids, or --remaining-of a hold");
  }
  const before = olderThan === undefined ? Number.POSITIVE_INFINITY : Date.now() - daysOf(olderThan) * day;
  const of = { case: "remainingOfFreezeId" as const, value: remainingOf };
  const found = (await allCheckpoints(of, options)).filter((one) => ageOf(one) < before);
  if (options.json !== true) list(found);
  return found.map(({ ref }) => ref?.checkpointId ?? "");
}

function list(found: readonly Checkpoint[]): void {
  if (found.length === 0) return;
  process.stdout.write(`${quiet(columns("checkpoint", "stored", "position", "format", "thread"))}\n`);
  for (const { ref, createTime, format } of found.slice(0, shown)) {
    const [id, position] = [ref?.checkpointId ?? "", String(ref?.sequence ?? 0)];
    process.stdout.write(`${columns(id, timeText(createTime), position, format, printable(ref?.threadKey ?? ""))}\n`);
  }
  if (found.length > shown) process.stdout.write(`  and ${found.length - shown} more\n`);
}

/** The key comes last: it is as long as a host makes it. */
function columns(...[id = "", stored = "", position = "", format = "", key = ""]: readonly string[]): string {
  return [id.padEnd(36), stored.padEnd(24), position.padStart(8), format.padEnd(16), key].join("  ");
}

function ageOf({ createTime }: Checkpoint): number {
  return createTime === undefined ? Number.POSITIVE_INFINITY : timestampMs(createTime);
}

function daysOf(text: string): number {
  const [, days] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (days === undefined)
    throw new CommandEnd(
      exitCodes.usage,
      `--older-than needs a number of days, such as 90d, and got ${JSON.stringify(text)}`,
    );
  return Number(days);
}
