import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import {
  type ActiveFreeze,
  ConversationService,
  ListFreezesResponseSchema,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { ask } from "./ask.ts";
import { type OperatorOptions, withCredential } from "./operator-options.ts";
import { scopeText } from "./scope-options.ts";
import { timeText } from "./show-checkpoint.ts";
import { printable, quiet, strong } from "./style.ts";

/** `fermata freezes`: the holds that are not thawed, the oldest first. */
export function freezes(): Command {
  return withCredential(new Command("freezes"))
    .description("List the holds that are not thawed")
    .addHelpText("after", "\nExample:\n  fermata freezes")
    .action(run);
}

async function run(options: OperatorOptions): Promise<void> {
  const answer = await ask(ConversationService.method.listFreezes, {}, options);
  if (options.json === true) {
    process.stdout.write(`${toJsonString(ListFreezesResponseSchema, answer, { prettySpaces: 2 })}\n`);
    return;
  }
  process.stdout.write(answer.freezes.length === 0 ? "nothing is frozen\n" : answer.freezes.map(lineOf).join(""));
}

function lineOf({ freezeId, scope, actor, reason, freezeTime, epoch, closing }: ActiveFreeze): string {
  const since = closing ? "closing: freeze again with the same id" : `since ${timeText(freezeTime)}, epoch ${epoch}`;
  return `${strong(printable(freezeId))}  ${scopeText(scope)}\n  ${quiet(`${since}, by ${printable(actor)}: ${printable(reason)}`)}\n`;
}
