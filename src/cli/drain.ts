import { toJson } from "@bufbuild/protobuf";
import { Command } from "commander";
import { ConversationService, type GetDrainRequest } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { type Drain, DrainSchema } from "../gen/fermata/conversation/v1/freeze_pb.ts";
import { ask } from "./ask.ts";
import { drainText } from "./drain-strip.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { type OperatorOptions, withCredential } from "./operator-options.ts";
import { type ScopeOptions, scopeOf, withScope } from "./scope-options.ts";
import { refused } from "./show-refusal.ts";

type Options = OperatorOptions & ScopeOptions & { readonly watch?: boolean };

const examples = `
Examples:
  fermata drain RETIRE-17
  fermata drain RETIRE-17 --watch
  fermata drain --format openai-chat/1        what a freeze would count, without one`;

/** Longer than the sidecar lets a stream run; then the next one begins. */
const patience = 600_000;

/** gRPC's code of a stream that has run for as long as it may. */
const deadlineExceeded = 4;

/** `fermata drain`: what is left to move of a hold, or of a scope that is not frozen. */
export function drain(): Command {
  return withCredential(withScope(new Command("drain")))
    .description("Show how far a drain is: its classes, and what stands in the way of the retirement")
    .argument("[id]", "id of the hold; or name a scope for a preview")
    .option("--watch", "go on showing it until it is at its fixed point or thawed")
    .addHelpText("after", examples)
    .action(run);
}

async function run(id: string | undefined, options: Options): Promise<void> {
  if (options.watch === true) return await watch(id, options);
  const answer = await ask(ConversationService.method.getDrain, { of: askedOf(id, options) }, options);
  if (answer.drain !== undefined) show(answer.drain, options);
}

function askedOf(id: string | undefined, options: Options): GetDrainRequest["of"] {
  const scope = scopeOf(options);
  if (id !== undefined && scope === undefined) return { case: "freezeId", value: id };
  if (id !== undefined || scope === undefined) {
    throw new CommandEnd(exitCodes.usage, "name the hold, or a scope with --whole-store, --format or --tenant");
  }
  // Its one member is a oneof, which is the same in a request and in an init.
  return { case: "scope", value: scope as Extract<GetDrainRequest["of"], { case: "scope" }>["value"] };
}

async function watch(id: string | undefined, options: Options): Promise<void> {
  if (id === undefined) throw new CommandEnd(exitCodes.usage, "name the hold to watch");
  const { connect } = await import("../client.ts");
  const client = connect(options.target, patience, options.tokenFile);
  try {
    for (;;) {
      let again = false;
      for await (const answer of client.serverStream(ConversationService.method.watchDrain, { freezeId: id })) {
        if (answer.kind === "ended" && answer.code !== deadlineExceeded)
          throw refused(answer, options.target, options.json === true);
        again = answer.kind === "ended";
        if (answer.kind !== "ok" || answer.value.drain === undefined) continue;
        redraw(answer.value.drain, options);
        if (answer.value.drain.atFixedPoint) return;
      }
      if (!again) return;
    }
  } finally {
    client.close();
  }
}

let drawn = 0;

/** On a terminal in the place of the last one; else one after the other, for a log. */
function redraw(drain: Drain, options: Options): void {
  if (process.stdout.isTTY && options.json !== true && drawn > 0) process.stdout.write(`\u001b[${drawn}A\u001b[J`);
  show(drain, options);
  drawn = drainText(drain).split("\n").length - 1;
}

function show(drain: Drain, { json }: Options): void {
  process.stdout.write(json === true ? `${JSON.stringify(toJson(DrainSchema, drain))}\n` : drainText(drain));
}
