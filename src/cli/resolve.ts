import { toJsonString } from "@bufbuild/protobuf";
import { Command } from "commander";
import type { Answer } from "../client.ts";
import {
  PaletteService,
  type ResolveRequest,
  type ResolveResponse,
  ResolveResponseSchema,
} from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { collect, configOf } from "./config-flags.ts";
import { type TurnOptions, toRequest } from "./resolve-request.ts";
import { showPalette, showTrace } from "./show-palette.ts";
import { refused } from "./show-refusal.ts";
import { quiet } from "./style.ts";

const PATIENCE = 5_000;

const EXAMPLES = `
Examples:
  fermata resolve --tools github.json --tools memory.json --skill search_nodes --force create_issue
  fermata resolve --tools tools.txt --config fermata.yaml --label role=reader --explain
  my-mcp-server | fermata resolve --tools - --target 127.0.0.1:50551 --json`;

type Options = TurnOptions & { readonly config?: string; readonly target?: string };

/** `fermata resolve`: the palette of one turn, decided here by a config or by a running sidecar. */
export function resolve(): Command {
  return new Command("resolve")
    .description("Show which tools a turn offers, what was removed by what, and whether its force holds")
    .requiredOption(
      "--tools <file>",
      "tools: MCP, OpenAI, Anthropic, Gemini or names; - is stdin (repeatable)",
      collect,
    )
    .option("--skill <name>", "a tool that a relevant skill names, most relevant first (repeatable)", collect)
    .option("--force <name>", "the tool that the turn must call")
    .option("--stages <file>", "the request's selection stages, YAML or JSON")
    .option("--label <name=value>", "a label of the request, for the operator's stages (repeatable)", collect)
    .option("--called <name>", "a tool that was called in this turn already (repeatable)", collect)
    .option("--always <name>", "a tool that is offered however routing ends (repeatable)", collect)
    .option("--explain", "show every step of the decision")
    .option("--json", "print the message ResolveResponse as JSON")
    .option("--config <file>", "decide in this process, by this config file (FERMATA_CONFIG)")
    .option("--target <address>", "ask the sidecar at host:port or unix:/path instead")
    .addHelpText("after", EXAMPLES)
    .action(run);
}

async function run(options: Options): Promise<void> {
  const request = toRequest(options);
  const where = placeOf(options);
  const json = options.json === true;
  // For scripts the standard output holds the message and nothing else.
  (json ? process.stderr : process.stdout).write(`${quiet(where)}\n`);
  const answer = await decide(request, options);
  if (answer.kind === "ended") throw refused(answer, options.target ?? where, json);
  process.stdout.write(json ? toMessage(answer.value) : toText(answer.value, request, options));
}

function placeOf({ target, config }: Options): string {
  if (target !== undefined) return `decided by the sidecar at ${target}`;
  return `decided in this process, by ${config ?? "the default config and the environment"}`;
}

/** Servers and client are large: each way loads only its own. */
async function decide(request: ResolveRequest, { target, config }: Options): Promise<Answer<ResolveResponse>> {
  if (target === undefined) {
    const { resolveHere } = await import("./resolve-here.ts");
    return resolveHere(request, configOf(config === undefined ? {} : { config }));
  }
  const { connect } = await import("../client.ts");
  const client = connect(target, PATIENCE);
  const answer = await client.unary(PaletteService.method.resolve, request);
  client.close();
  return answer;
}

function toMessage(response: ResolveResponse): string {
  return `${toJsonString(ResolveResponseSchema, response, { prettySpaces: 2 })}\n`;
}

function toText(response: ResolveResponse, request: ResolveRequest, { explain }: Options): string {
  const registered = request.registered.case === "registry" ? request.registered.value.tools.length : 0;
  const trace = explain === true ? showTrace(response.explanation?.steps ?? []) : "";
  return `${showPalette(response, registered)}${trace}`;
}
