import { toJson } from "@bufbuild/protobuf";
import { Command } from "commander";
import {
  ConversationService,
  type ReplayEntry,
  type ReplayHeader,
  type ReplayResponse,
  ReplayResponseSchema,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { AskOptions } from "./ask.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { refused } from "./show-refusal.ts";
import { drawZones } from "./show-replay.ts";
import { checkpointQuery, type ThreadOptions, withTarget, withThread } from "./thread-options.ts";

const patience = 300_000;

const examples = `
Examples:
  fermata replay acme:_:s1
  fermata replay --tenant acme --session s1 --json > replay.jsonl`;

/** `fermata replay`: what a host would take over, drive again, use as evidence and ask about. Nothing is driven or stored. */
export function replay(): Command {
  return withTarget(withThread(new Command("replay")))
    .description("Draw what a replay of a thread would be; with --json one message of the stream a line")
    .addHelpText("after", examples)
    .action(run);
}

async function run(key: string | undefined, options: AskOptions & ThreadOptions): Promise<void> {
  const messages = stream(checkpointQuery(key, options), options);
  if (options.json === true) return await print(messages);
  const entries: ReplayEntry[] = [];
  let header: ReplayHeader | undefined;
  let announced = -1;
  for await (const { part } of messages) {
    if (part.case === "header") header = part.value;
    if (part.case === "entries") entries.push(...part.value.entries);
    if (part.case === "trailer") announced = Number(part.value.entries);
  }
  if (header === undefined || announced !== entries.length) {
    throw new CommandEnd(exitCodes.unreachable, "the replay broke off before its end: run the command again");
  }
  process.stdout.write(drawZones(header, entries));
}

async function* stream(
  request: ReturnType<typeof checkpointQuery>,
  { target, json }: AskOptions,
): AsyncGenerator<ReplayResponse> {
  const { connect } = await import("../client.ts");
  const client = connect(target, patience);
  try {
    for await (const answer of client.serverStream(ConversationService.method.replay, request)) {
      if (answer.kind === "ended") throw refused(answer, target, json === true);
      yield answer.value;
    }
  } finally {
    client.close();
  }
}

async function print(messages: AsyncIterable<ReplayResponse>): Promise<void> {
  for await (const message of messages) {
    process.stdout.write(`${JSON.stringify(toJson(ReplayResponseSchema, message))}\n`);
  }
}
