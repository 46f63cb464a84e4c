import { Command } from "commander";
import type { Ending, SidecarClient } from "../client.ts";
import { type AdoptRequest, ConversationService } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { Remedy } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Report, type RowEnd, reportOf, reportText, taken } from "./adopt-report.ts";
import { type AdoptRow, readRows, sizeOfRows } from "./adopt-rows.ts";
import type { AskOptions } from "./ask.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { openProgress, type Progress } from "./progress.ts";
import { withTarget } from "./thread-options.ts";

const patience = 15_000;

/** Enough to keep a store's batches full; more would only wait in its queue. */
const atOnce = 16;

const retries = 8;
const retryAfter = 250;

const examples = `
Each .json file holds one AdoptRequest in its JSON form, each line of a .jsonl file one more:
  {"threadKey": "corp:_:s9", "derivation": "symfonic/9", "writtenTime": "2026-01-01T00:00:00Z",
   "document": {"format": "openai-chat/1", "text": "[...]"}}

Examples:
  fermata adopt rows/
  fermata adopt thread.json --target unix:/run/fermata.sock --json

It may be broken off and run again: what is adopted already is counted as such.`;

/** `fermata adopt`: accounts for rows that exist already, and says at the end what became of each kind of them. */
export function adopt(): Command {
  return withTarget(new Command("adopt"))
    .description("Bring the threads of a file or a folder into the store")
    .argument("<path>", "a .json or .jsonl file, or a folder of such files")
    .addHelpText("after", examples)
    .action(run);
}

async function run(path: string, options: AskOptions): Promise<void> {
  const rows = readRows(path);
  const progress = openProgress(sizeOfRows(path));
  const { connect } = await import("../client.ts");
  const client = connect(options.target, patience);
  let report = reportOf([]);
  const worker = async (): Promise<void> => {
    for (const row of rows) {
      const end = await endOf(client, row, options.target, () => report);
      report = taken(report, end); // Not before the wait: others have counted meanwhile.
      show(progress, row, report);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    progress.end();
    client.close();
  }
  process.stdout.write(options.json === true ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  if (report.exitCode !== 0) throw new CommandEnd(report.exitCode, "");
}

function show(progress: Progress, { bytes }: AdoptRow, { rows }: Report): void {
  progress.advance(bytes, `${rows} rows`);
}

/** What became of one row. Ends the command if nobody answers any more: the rows that are left would fare no better. */
async function endOf(client: SidecarClient, row: AdoptRow, target: string, sofar: () => Report): Promise<RowEnd> {
  const { name, request } = row;
  if (request === undefined) return { kind: "unreadable", name };
  const answer = await patiently(client, request);
  if (answer.kind === "ok") {
    const { checkpoint, firstAnswerRepeated } = answer.value;
    return { kind: "adopted", again: firstAnswerRepeated, quarantined: checkpoint?.ref?.quarantined === true };
  }
  if (answer.refusal !== undefined && answer.refusal.remedy !== Remedy.RETRY_LATER) {
    return { kind: "refused", name, code: answer.code, refusal: answer.refusal };
  }
  throw new CommandEnd(exitCodes.unreachable, `${target} does not answer (${answer.text})\n${reportText(sofar())}`);
}

/** A sidecar that is loaded, or starts again, is waited for. */
async function patiently(client: SidecarClient, request: AdoptRequest) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.unary(ConversationService.method.adopt, request);
    if (answer.kind === "ok" || attempt > retries || !isPassing(answer)) return answer;
    await new Promise((again) => setTimeout(again, retryAfter));
  }
}

function isPassing({ refusal }: Ending): boolean {
  return refusal === undefined || refusal.remedy === Remedy.RETRY_LATER;
}
