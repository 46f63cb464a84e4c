import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import {
  ConversationService,
  GetCheckpointResponseSchema,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { type AskOptions, ask } from "./ask.ts";
import { checkpointLine, showCheckpoint } from "./show-checkpoint.ts";
import { quiet } from "./style.ts";
import { checkpointQuery, type ThreadOptions, withTarget, withThread } from "./thread-options.ts";

const examples = `
Examples:
  fermata show acme:_:s1
  fermata show --tenant acme --session s1 --checkpoint 01900000-0000-7000-8000-000000000000`;

/** `fermata show`: the facts of a thread's checkpoint, and which others it has. */
export function show(): Command {
  return withTarget(withThread(new Command("show")))
    .description("Show the facts of a thread's checkpoint, its head by default")
    .addHelpText("after", examples)
    .action(run);
}

async function run(key: string | undefined, options: AskOptions & ThreadOptions): Promise<void> {
  const wanted = checkpointQuery(key, options);
  const answer = await ask(ConversationService.method.getCheckpoint, wanted, options);
  if (options.json === true) {
    process.stdout.write(`${toJsonString(GetCheckpointResponseSchema, answer, { prettySpaces: 2 })}\n`);
    return;
  }
  if (answer.checkpoint !== undefined) process.stdout.write(showCheckpoint(answer.checkpoint));
  const of = { case: "thread", value: wanted.thread } as const;
  const { checkpoints, nextPageToken } = await ask(ConversationService.method.listCheckpoints, { of }, options);
  const more = nextPageToken === "" ? "" : quiet("      and newer ones\n");
  process.stdout.write(`\n${checkpoints.map(checkpointLine).join("")}${more}`);
}
