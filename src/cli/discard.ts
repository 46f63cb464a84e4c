import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Command } from "commander";
import type { Checkpoint } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { ConversationService } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { allCheckpoints } from "./all-checkpoints.ts";
import { ask } from "./ask.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { confirmed, type OperatorOptions, recordOf, withOperator } from "./operator-options.ts";
import { openProgress } from "./progress.ts";
import { checkpointLine } from "./show-checkpoint.ts";

interface Options extends OperatorOptions {
  readonly remainingOf?: string;
  readonly olderThan?: string;
  readonly yes?: boolean;
}

const examples = `
Examples:
  fermata discard 01900000-0000-7000-8000-000000000000 --reason "the user gave it up"
  fermata discard --remaining-of RETIRE-17 --older-than 90d      shows them, and asks before it gives them up`;

const day = 86_400_000;
const shown = 20;

/** `fermata discard`: gives checkpoints up, by id or by filter. What would be given up is shown first. */
export function discard(): Command {
  return withOperator(new Command("discard"))
    .description("Give checkpoints up, recorded, so that a drain can end; shows them and asks first")
    .argument("[ids...]", "ids of checkpoints")
    .option("--remaining-of <id>", "all that the drain of this hold still waits for")
    .option("--older-than <days>", "of these only what nobody has written to for so many days, such as 90d")
    .option("--yes", "do not ask")
    .addHelpText("after", examples)
    .action(run);
}

async function run(ids: readonly string[], options: Options): Promise<void> {
  const chosen = await choose(ids, options);
  if (chosen.length === 0) {
    process.stdout.write("there is nothing to discard\n");
    return;
  }
  if (!(await confirmed(`discard ${chosen.length} checkpoints?`, options.yes))) {
    process.stdout.write(`${chosen.length} would be discarded; nothing was (--yes does it)\n`);
    return;
  }
  const record = await recordOf(options);
  const progress = openProgress(chosen.length);
  for (const checkpointId of chosen) {
    await ask(ConversationService.method.discard, { checkpointId, ...record }, options);
    progress.advance(1, "discarded");
  }
  progress.end();
  process.stdout.write(`${chosen.length} discarded\n`);
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
  for (const checkpoint of found.slice(0, shown)) process.stdout.write(checkpointLine(checkpoint));
  if (found.length > shown) process.stdout.write(`  and ${found.length - shown} more\n`);
  return found.map(({ ref }) => ref?.checkpointId ?? "");
}

function ageOf({ createTime }: Checkpoint): number {
  return createTime === undefined ? Number.POSITIVE_INFINITY : timestampMs(createTime);
}

function daysOf(text: string): number {
  const [, days] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (days === undefined) throw new CommandEnd(exitCodes.usage, "--older-than is a number of days, such as 90d");
  return Number(days);
}
