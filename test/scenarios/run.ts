import { readFileSync } from "node:fs";
import type { JsonValue } from "@bufbuild/protobuf";
import { type Answer, methodOf, type WireCaller, wireCallers } from "../transport/callers.ts";
import { TestSidecar } from "../transport/sidecars.ts";
import { at, type Expectation, expectAnswer } from "./expectations.ts";

/** A scenario as in the README of the scenarios: steps against a fresh store. */
export interface Scenario {
  readonly name: string;
  readonly why: string;
  readonly config?: object;
  readonly steps: readonly Step[];
}

interface Step {
  readonly rpc: string;
  readonly request: JsonValue;
  readonly expect: Expectation;
  readonly capture?: Readonly<Record<string, string>>;
  readonly now?: string;
  readonly restart?: boolean;
}

/** The scenarios of a file of this folder. */
export function readScenarios(file: string): readonly Scenario[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")).scenarios;
}

/** Names of the wire protocols, each of which runs every scenario. */
export const protocols = ["gRPC", "gRPC-Web", "Connect JSON", "Connect binary"] as const;

/** Runs one scenario over one protocol, and returns each refusal's status bytes in hex for the comparison of protocols. */
export async function runScenario(
  scenario: Scenario,
  protocol: (typeof protocols)[number],
): Promise<readonly string[]> {
  const sidecar = await new TestSidecar(scenario.config ?? {}).start();
  let client = clientOf(sidecar, protocol);
  const captured = new Map<string, JsonValue>();
  const statuses: string[] = [];
  try {
    for (const step of scenario.steps) {
      if (step.now !== undefined) sidecar.setClock(step.now);
      if (step.restart === true) {
        client.close();
        await sidecar.stop();
        await sidecar.start();
        client = clientOf(sidecar, protocol);
      }
      const answer = await client.call(methodOf(step.rpc), filled(step.request, captured));
      const view = viewOf(step.rpc, answer);
      expectAnswer(answer, view, filled(step.expect as JsonValue, captured) as Expectation);
      for (const [name, path] of Object.entries(step.capture ?? {})) captured.set(name, at(view, path) ?? null);
      if (answer.kind === "refused") statuses.push(Buffer.from(answer.status).toString("hex"));
    }
  } finally {
    client.close();
    await sidecar.end();
  }
  return statuses;
}

function clientOf(sidecar: TestSidecar, protocol: string): WireCaller {
  const callers = wireCallers(sidecar.address);
  const wanted = callers.find(({ name }) => name === protocol);
  for (const other of callers) if (other !== wanted) other.close();
  if (wanted === undefined) throw new Error(`no client for ${protocol}`);
  return wanted;
}

function filled(value: JsonValue, captured: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === "string" && value.startsWith("$")) return captured.get(value.slice(1)) ?? value;
  if (Array.isArray(value)) return value.map((item) => filled(item, captured));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, captured)]));
}

function viewOf(rpc: string, answer: Answer): JsonValue {
  if (answer.kind === "refused") return {};
  return rpc.endsWith("/Replay") ? replayView(answer.messages) : (answer.messages[0] ?? {});
}

/** The Replay stream as the README of the scenarios tells it. */
function replayView(messages: readonly JsonValue[]): JsonValue {
  const entries = messages.flatMap((message) => (at(message, "entries.entries") as JsonValue[] | undefined) ?? []);
  return {
    header: messages.map((message) => at(message, "header")).find((header) => header !== undefined) ?? {},
    zones: entries.map((entry) => at(entry, "zone") ?? null),
    positions: entries.map((entry) => Number(at(entry, "entry.position") ?? 0)),
    inDoubt: entries.flatMap((entry) => (at(entry, "inDoubtCallIds") as JsonValue[] | undefined) ?? []),
    trailerEntries: Number(
      messages.map((message) => at(message, "trailer.entries")).find((count) => count !== undefined) ?? 0,
    ),
  };
}
