import { randomUUID } from "node:crypto";
import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import { ConversationService, FreezeResponseSchema } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { FreezeState } from "../gen/fermata/conversation/v1/freeze_pb.ts";
import { ask } from "./ask.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { type OperatorOptions, recordOf, withOperator } from "./operator-options.ts";
import { type ScopeOptions, scopeOf, withScope } from "./scope-options.ts";
import { timeText } from "./show-checkpoint.ts";
import { strong } from "./style.ts";

type Options = OperatorOptions & ScopeOptions & { readonly id?: string };

const examples = `
Examples:
  fermata freeze --format openai-chat/1 --reason "retired on 1 June, OPS-17"
  fermata freeze --tenant acme --target unix:/run/fermata/operator.sock
  fermata freeze --id RETIRE-17 --whole-store --reason "the same call again goes on"`;

/** `fermata freeze`: stops issuance in a scope. The id is told first, so that a call which is cut off can be gone on with. */
export function freeze(): Command {
  return withOperator(withScope(new Command("freeze")))
    .description("Stop new state in a scope, on every sidecar of the store; reads, replays and adoption go on")
    .option("--id <id>", "id of the hold; made if it is left out")
    .addHelpText("after", examples)
    .action(run);
}

async function run(options: Options): Promise<void> {
  const scope = scopeOf(options);
  if (scope === undefined) throw new CommandEnd(exitCodes.usage, "name --whole-store, --format or --tenant");
  const record = await recordOf(options);
  const freezeId = options.id ?? `freeze-${randomUUID()}`;
  process.stderr.write(`hold ${strong(freezeId)}\n`);
  const answer = await ask(ConversationService.method.freeze, { freezeId, scope, ...record }, options);
  if (options.json === true) {
    process.stdout.write(`${toJsonString(FreezeResponseSchema, answer, { prettySpaces: 2 })}\n`);
    return;
  }
  if (answer.state === FreezeState.ALREADY_THAWED) {
    throw new CommandEnd(exitCodes.usage, `${freezeId} has been thawed: nothing is set; freeze with another id`);
  }
  process.stdout.write(
    `frozen since ${timeText(answer.freezeTime)}, epoch ${answer.epoch}, store ${answer.storeId}\n` +
      `how far it is: fermata drain ${freezeId} --watch\nits end:       fermata thaw ${freezeId}\n`,
  );
}
