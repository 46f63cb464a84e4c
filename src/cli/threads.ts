import { toJson } from "@bufbuild/protobuf";
import { Command } from "commander";
import { type Checkpoint, CheckpointSchema, CheckpointState } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { ListCheckpointsRequest } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { allCheckpoints } from "./all-checkpoints.ts";
import type { AskOptions } from "./ask.ts";
import { counted } from "./counted.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { timeText } from "./show-checkpoint.ts";
import { bad, printable, quiet, strong } from "./style.ts";
import { withTarget } from "./thread-options.ts";

type Options = AskOptions & { readonly tenant?: string; readonly format?: string };

const examples = `
Examples:
  fermata threads --tenant acme
  fermata threads --format openai-chat/1 --json`;

/** `fermata threads`: the threads of a tenant or of a format, as far as their checkpoints tell. */
export function threads(): Command {
  return withTarget(new Command("threads"))
    .description("List the threads of a tenant, or those with checkpoints of a format")
    .option("--tenant <id>", "threads that this tenant is recorded as the owner of")
    .option("--format <name/version>", "threads with a checkpoint of this format")
    .addHelpText("after", examples)
    .action(run);
}

async function run(options: Options): Promise<void> {
  const found = await allCheckpoints(scopeOf(options), options); // The last one of a thread is its newest.
  if (options.json === true) {
    process.stdout.write(
      `${JSON.stringify(
        found.map((checkpoint) => toJson(CheckpointSchema, checkpoint)),
        null,
        2,
      )}\n`,
    );
    return;
  }
  const newest = new Map(found.map((checkpoint) => [checkpoint.ref?.threadKey ?? "", checkpoint]));
  if (newest.size === 0) process.stdout.write("no threads\n");
  for (const [key, checkpoint] of newest) process.stdout.write(threadLine(key, checkpoint));
}

function scopeOf({ tenant, format }: Options): ListCheckpointsRequest["of"] {
  if (tenant !== undefined && format === undefined) return { case: "tenantId", value: tenant };
  if (format !== undefined && tenant === undefined) return { case: "format", value: format };
  throw new CommandEnd(exitCodes.usage, "name either --tenant or --format");
}

function threadLine(key: string, { ref, format, createTime, state }: Checkpoint): string {
  const owner = ref?.quarantined ? "quarantined" : printable(ref?.tenantId ?? "");
  return `${strong(printable(key))}  ${quiet(`${owner}, ${counted(ref?.sequence ?? 0n, "checkpoint")}, ${format}, ${timeText(createTime)}`)}${state === CheckpointState.DISCARDED ? `  ${bad("discarded")}` : ""}\n`;
}
