import { create, toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import type { Answer } from "../client.ts";
import type { Document } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  ConversationService,
  type JudgeRequest,
  JudgeRequestSchema,
  type JudgeResponse,
  JudgeResponseSchema,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { configOf } from "./config-flags.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { inputName, readInput } from "./read-input.ts";
import { recognise } from "./recognise.ts";
import { boundaryText } from "./show-checkpoint.ts";
import { refused } from "./show-refusal.ts";
import { drawStrip } from "./strip.ts";
import { good, quiet } from "./style.ts";

interface Options {
  readonly format?: string;
  readonly proof?: string;
  readonly config?: string;
  readonly target?: string;
  readonly json?: boolean;
}

const patience = 30_000;

const examples = `
Examples:
  fermata judge history.json
  fermata judge state.json --format openai-responses/1 --json
  my-agent --dump | fermata judge - --target 127.0.0.1:50551`;

/** `fermata judge`: whether a document may be picked up, with the thread drawn as a strip and the first offender marked. */
export function judge(): Command {
  return new Command("judge")
    .description("Say whether a kept conversation may be picked up, and draw where it may and where not")
    .argument("<file>", "the document as the host keeps it; - is stdin")
    .option("--format <name/version>", "its format; recognised by its shape where that is clear")
    .option("--proof <name>", "the boundary proof that the host names with it")
    .option("--config <file>", "judge in this process, by this config file (FERMATA_CONFIG)")
    .option("--target <address>", "ask the sidecar at host:port or unix:/path instead")
    .option("--json", "print the message JudgeResponse as JSON")
    .addHelpText("after", examples)
    .action(run);
}

async function run(file: string, options: Options): Promise<void> {
  const content: Document["content"] = { case: "text", value: readInput(file) };
  const { format, note } = formatOf(content, file, options);
  const boundary = options.proof === undefined ? {} : { boundaryProof: options.proof };
  const request = create(JudgeRequestSchema, { document: { format, content }, ...boundary });
  const json = options.json === true;
  if (!json) process.stdout.write(`${quiet(`${inputName(file)} as ${format}${note}, ${placeOf(options)}`)}\n\n`);
  const answer = await decide(request, options);
  if (!json) process.stdout.write(drawStrip(format, content, answer));
  if (answer.kind === "ended") throw refused(answer, options.target ?? "this process", json);
  process.stdout.write(
    json ? `${toJsonString(JudgeResponseSchema, answer.value, { prettySpaces: 2 })}\n` : verdict(answer.value),
  );
}

function placeOf({ target, config }: Options): string {
  if (target !== undefined) return `judged by the sidecar at ${target}`;
  return `judged in this process, by ${config ?? "the default config and the environment"}`;
}

interface Named {
  readonly format: string;
  readonly note: string;
}

function formatOf(content: Document["content"], file: string, { format }: Options): Named {
  if (format !== undefined) return { format, note: "" };
  const found = recognise(content);
  if (found.kind === "recognised") {
    const note = found.alike.length === 0 ? "" : `, and the same as ${found.alike.join(", ")}`;
    return { format: found.format, note };
  }
  throw new CommandEnd(exitCodes.usage, `${inputName(file)} has the shape of ${found.found}: say which with --format`);
}

async function decide(request: JudgeRequest, { target, config }: Options): Promise<Answer<JudgeResponse>> {
  if (target === undefined) {
    const { judgeHere } = await import("./judge-here.ts");
    return judgeHere(request, configOf(config === undefined ? {} : { config }));
  }
  const { connect } = await import("../client.ts");
  const client = connect(target, patience);
  const answer = await client.unary(ConversationService.method.judge, request);
  client.close();
  return answer;
}

function verdict({ boundary }: JudgeResponse): string {
  return `${good("may be picked up")}: ${boundary === undefined ? "" : boundaryText(boundary)}\n`;
}
