import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import { ConversationService, ThawResponseSchema } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { IssuanceState } from "../gen/fermata/conversation/v1/freeze_pb.ts";
import { ask } from "./ask.ts";
import { type OperatorOptions, recordOf, withOperator } from "./operator-options.ts";

/** `fermata thaw`: ends one hold and its drain. */
export function thaw(): Command {
  return withOperator(new Command("thaw"))
    .description("End a hold and its drain; the holds of others stay")
    .argument("<id>", "id of the hold")
    .addHelpText("after", '\nExample:\n  fermata thaw RETIRE-17 --reason "all threads are moved"')
    .action(run);
}

async function run(freezeId: string, options: OperatorOptions): Promise<void> {
  const answer = await ask(ConversationService.method.thaw, { freezeId, ...(await recordOf(options)) }, options);
  if (options.json === true) {
    process.stdout.write(`${toJsonString(ThawResponseSchema, answer, { prettySpaces: 2 })}\n`);
    return;
  }
  const frozen = answer.issuance === IssuanceState.FROZEN;
  process.stdout.write(
    frozen
      ? "thawed; another hold covers the same scope: see fermata freezes\n"
      : "thawed: hosts may issue in this scope\n",
  );
}
