import { toJson } from "@bufbuild/protobuf";
import { Command } from "commander";
import {
  ConversationService,
  type GetTranscriptRequest,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { type TranscriptEntry, TranscriptEntrySchema } from "../gen/fermata/conversation/v1/transcript_pb.ts";
import { type AskOptions, ask } from "./ask.ts";
import { timeText } from "./show-checkpoint.ts";
import { entryText } from "./show-entry.ts";
import { quiet } from "./style.ts";
import { type ThreadOptions, threadRef, withTarget, withThreadOnly } from "./thread-options.ts";

const examples = `
Examples:
  fermata transcript acme:_:s1
  fermata transcript --tenant acme --session s1 --json | jq -r .recordTime`;

/** `fermata transcript`: a thread's entries with the times at which they came into it. */
export function transcript(): Command {
  return withTarget(withThreadOnly(new Command("transcript")))
    .description("Show the entries of a thread with their times; with --json one entry a line")
    .addHelpText("after", examples)
    .action(run);
}

async function run(key: string | undefined, options: AskOptions & ThreadOptions): Promise<void> {
  const thread = threadRef(key, options);
  let shown = 0;
  let after: Partial<Pick<GetTranscriptRequest, "afterPosition">> = {};
  for (;;) {
    const page = await ask(ConversationService.method.getTranscript, { thread, pageSize: 1000, ...after }, options);
    for (const entry of page.entries) process.stdout.write(options.json === true ? jsonLine(entry) : line(entry));
    shown += page.entries.length;
    const last = page.entries.at(-1)?.position;
    if (page.end || last === undefined) break;
    after = { afterPosition: last };
  }
  if (shown === 0 && options.json !== true) process.stdout.write("the transcript is empty\n");
}

function line(entry: TranscriptEntry): string {
  return `${quiet(timeText(entry.recordTime).padEnd(24))}  ${entryText(entry)}\n`;
}

function jsonLine(entry: TranscriptEntry): string {
  return `${JSON.stringify(toJson(TranscriptEntrySchema, entry))}\n`;
}
