import { writeFileSync } from "node:fs";
import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import {
  ConversationService,
  type ResumeResponse,
  ResumeResponseSchema,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { IssuanceState } from "../gen/fermata/conversation/v1/freeze_pb.ts";
import { type AskOptions, ask } from "./ask.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { boundaryText, showCheckpoint } from "./show-checkpoint.ts";
import { type ThreadOptions, threadRef, withTarget, withThread } from "./thread-options.ts";

type Options = AskOptions & ThreadOptions & { readonly out?: string };

const examples = `
Examples:
  fermata resume acme:_:s1 > document.json
  fermata resume --tenant acme --session s1 --out document.json`;

/** `fermata resume`: the document to go on from, byte for byte; or the one refusal that says why not. */
export function resume(): Command {
  return withTarget(withThread(new Command("resume")))
    .description("Write the document that a thread may be picked up from; its facts go to stderr")
    .option("--out <file>", "write the document to a file")
    .addHelpText("after", examples)
    .action(run);
}

async function run(key: string | undefined, options: Options): Promise<void> {
  const thread = threadRef(key, options);
  const { checkpoint: checkpointId } = options;
  const wanted = checkpointId === undefined ? { thread } : { thread, checkpointId };
  const answer = await ask(ConversationService.method.resume, wanted, options);
  if (options.json === true) {
    process.stdout.write(`${toJsonString(ResumeResponseSchema, answer, { prettySpaces: 2 })}\n`);
    return;
  }
  process.stderr.write(factsText(answer));
  const document = answer.document?.content.value ?? "";
  if (options.out === undefined) process.stdout.write(document);
  else writeOut(options.out, document);
}

function writeOut(file: string, document: string | Uint8Array): void {
  try {
    writeFileSync(file, document);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    throw new CommandEnd(exitCodes.store, `${file} cannot be written (${String(thrown.code)})`);
  }
}

function factsText({ checkpoint, boundary, issuance }: ResumeResponse): string {
  const facts = checkpoint === undefined ? "" : showCheckpoint(checkpoint);
  const at = boundary === undefined ? "" : `may be picked up: ${boundaryText(boundary)}\n`;
  const frozen = issuance === IssuanceState.FROZEN ? "issuance is frozen: nothing can be stored after it now\n" : "";
  return `${facts}${at}${frozen}`;
}
