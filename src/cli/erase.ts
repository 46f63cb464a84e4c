import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import {
  ConversationService,
  type EraseRequest,
  type EraseResponse,
  EraseResponseSchema,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { ask } from "./ask.ts";
import { counted } from "./counted.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { confirmed, type OperatorOptions, recordOf, withOperator } from "./operator-options.ts";
import { type ThreadOptions, threadRef } from "./thread-options.ts";

type Options = OperatorOptions &
  Omit<ThreadOptions, "checkpoint"> & { readonly allOf?: string; readonly yes?: boolean };

const examples = `
Examples:
  fermata erase --tenant acme --session s1 --reason "asked by the person, DPO-3"
  fermata erase --all-of acme`;

/** `fermata erase`: removes a thread or a tenant from the store's files. How much it is is told first. */
export function erase(): Command {
  return withOperator(new Command("erase"))
    .description("Remove a thread, or everything of a tenant, from the store's files for ever; counts and asks first")
    .argument("[key]", "the exact key of the thread")
    .option("--tenant <id>", "tenant of the thread's identity")
    .option("--sub-tenant <id>", "sub-tenant of the thread's identity")
    .option("--session <id>", "session of the thread's identity")
    .option("--claim <tenant>", "refuse the thread unless this tenant is recorded as its owner")
    .option("--all-of <tenant>", "everything of this tenant")
    .option("--yes", "do not ask")
    .addHelpText("after", examples)
    .action(run);
}

async function run(key: string | undefined, options: Options): Promise<void> {
  const what = whatOf(key, options);
  const record = await recordOf(options);
  const found = await ask(ConversationService.method.erase, { what, ...record, dryRun: true }, options);
  if (!(await confirmed(`erase ${amountOf(found)} for ever?`, options.yes))) {
    if (options.json === true) throw new CommandEnd(exitCodes.usage, `${amountOf(found)} would be erased: add --yes`);
    process.stdout.write(`${amountOf(found)} would be erased; nothing was (--yes does it)\n`);
    return;
  }
  const erased = await ask(ConversationService.method.erase, { what, ...record }, options);
  const text = `${amountOf(erased)} erased; backups keep what they hold`;
  const json = toJsonString(EraseResponseSchema, erased, { prettySpaces: 2 });
  process.stdout.write(`${options.json === true ? json : text}\n`);
}

function whatOf(key: string | undefined, options: Options): EraseRequest["what"] {
  const { allOf, tenant, session } = options;
  if (allOf === undefined) {
    // A reference is the same in a request and in an init.
    return {
      case: "thread",
      value: threadRef(key, options) as Extract<EraseRequest["what"], { case: "thread" }>["value"],
    };
  }
  if (key !== undefined || tenant !== undefined || session !== undefined) {
    throw new CommandEnd(exitCodes.usage, "name either a thread or --all-of a tenant");
  }
  return { case: "tenantId", value: allOf };
}

function amountOf({ threads, checkpoints }: EraseResponse): string {
  return `${counted(threads, "thread")} with ${counted(checkpoints, "checkpoint")}`;
}
