import { create, toJsonString } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Command } from "commander";
import type { Config } from "../config.ts";
import { publishWindow } from "../domain/conversation/support-window.ts";
import {
  ConversationService,
  type GetSupportWindowResponse,
  GetSupportWindowResponseSchema,
  type SupportedFormat,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { getSupportWindow } from "../rpc/conversation/get-support-window.ts";
import { fermataVersion } from "../version.ts";
import { ask } from "./ask.ts";
import { configOf } from "./config-flags.ts";
import { counted } from "./counted.ts";
import { timeText } from "./show-checkpoint.ts";
import { bad, printable, quiet, strong } from "./style.ts";

interface Options {
  readonly config?: string;
  readonly target?: string;
  readonly json?: boolean;
}

const day = 86_400_000;

/** `fermata formats`: the published support window, of a config or of a running sidecar. */
export function formats(): Command {
  return new Command("formats")
    .description("Show which formats are supported, until when, and which boundary proofs are published")
    .option("--config <file>", "config file, YAML or JSON (FERMATA_CONFIG)")
    .option("--target <address>", "ask the sidecar at host:port or unix:/path instead")
    .option("--json", "print the message GetSupportWindowResponse as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  fermata formats --config fermata.yaml\n  fermata formats --target 127.0.0.1:50551",
    )
    .action(run);
}

async function run({ config, target, json = false }: Options): Promise<void> {
  const window =
    target === undefined
      ? await windowHere(configOf(config === undefined ? {} : { config }))
      : await ask(ConversationService.method.getSupportWindow, {}, { target, json });
  const text = json
    ? toJsonString(GetSupportWindowResponseSchema, window, { prettySpaces: 2 })
    : window.formats.map((format) => formatText(format, Date.now())).join("\n");
  process.stdout.write(`${text}\n`);
}

async function windowHere(config: Config): Promise<GetSupportWindowResponse> {
  const window = publishWindow(config);
  if (window.kind === "invalid") throw new Error("a config with a wrong support window was loaded");
  const answer = getSupportWindow({
    window: () => window.value,
    storeId: () => undefined,
    serverVersion: fermataVersion,
    configDigest: () => config.digest,
  });
  const call = { deadline: Number.MAX_SAFE_INTEGER, signal: new AbortController().signal };
  const outcome = await answer(create(ConversationService.method.getSupportWindow.input), call);
  if (outcome.kind === "refusal") throw new Error("a support window was refused");
  return outcome.value;
}

function formatText(
  { format, status, supportedUntil, replayUntil, supportRoute, boundaryProofs }: SupportedFormat,
  now: number,
): string {
  const left = supportedUntil === undefined ? undefined : Math.ceil((timestampMs(supportedUntil) - now) / day);
  const until = timeText(supportedUntil);
  const end = left === undefined ? `${status}, no end` : endText(status, until, left);
  const replay = replayUntil === undefined ? "" : `, replay until ${timeText(replayUntil)}`;
  const route = supportRoute === "" ? "" : `\n  ${quiet("help")}    ${printable(supportRoute)}`;
  const proofs =
    boundaryProofs.length === 0 ? "none: nothing of it can be resumed" : boundaryProofs.map(printable).join(", ");
  return `${strong(format)}  ${end}${replay}\n  ${quiet("proofs")}  ${proofs}${route}`;
}

function endText(status: string, until: string, left: number): string {
  return left > 0 ? `${status}, supported until ${until} (${counted(left, "day")} left)` : bad(`ended ${until}`);
}
