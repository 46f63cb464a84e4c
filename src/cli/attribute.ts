import { userInfo } from "node:os";
import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import {
  AttributeResponseSchema,
  ConversationService,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { type AskOptions, ask } from "./ask.ts";
import { withCredential } from "./operator-options.ts";
import { printable } from "./style.ts";

interface Options extends AskOptions {
  readonly tenant: string;
  readonly reason: string;
  readonly actor: string;
  readonly ticket?: string;
  readonly subTenant?: string;
  readonly session?: string;
  readonly supersedes?: string;
}

const examples = `
Examples:
  fermata attribute corp:_:2024:05:01 --tenant corp --session 2024:05:01 --reason "checked against the ledger" --ticket T-1
  fermata attribute corp:_:2024:05:01 --tenant other --supersedes corp --reason "the ledger was wrong"`;

/** `fermata attribute`: an operator's record of who owns a quarantined key. It stays for ever; a correction supersedes it. */
export function attribute(): Command {
  return withCredential(new Command("attribute"))
    .description("Record the tenant that owns a quarantined key, which ends its quarantine")
    .argument("<key>", "the exact key of the thread")
    .requiredOption("--tenant <id>", "who owns it")
    .requiredOption("--reason <text>", "why: what it was checked against")
    .option("--actor <name>", "who records it", userInfo().username)
    .option("--ticket <id>", "where that is written down")
    .option("--sub-tenant <id>", "the part of the tenant")
    .option("--session <id>", "its session: then the thread is found by this identity from now on")
    .option(
      "--supersedes <tenant>",
      "the tenant recorded before, to correct it; without --session, its session is kept",
    )
    .addHelpText("after", examples)
    .action(run);
}

async function run(threadKey: string, options: Options): Promise<void> {
  const { tenant: tenantId, reason, actor, ticket = "", subTenant, session, supersedes } = options;
  const request = {
    threadKey,
    tenantId,
    reason,
    actor,
    ticket,
    ...(subTenant !== undefined && { subTenantId: subTenant }),
    ...(session !== undefined && { sessionId: session }),
    ...(supersedes !== undefined && { supersedes }),
  };
  const answer = await ask(ConversationService.method.attribute, request, options);
  process.stdout.write(
    options.json === true
      ? `${toJsonString(AttributeResponseSchema, answer, { prettySpaces: 2 })}\n`
      : `${printable(threadKey)} is recorded as ${printable(answer.head?.tenantId ?? "")}'s\n`,
  );
}
