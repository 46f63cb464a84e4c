import { readFileSync } from "node:fs";
import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ConversationService } from "../../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { RefusalSchema } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import type { Unary } from "../../../src/rpc/rpc.ts";
import { call, openDesk } from "./desk.ts";

interface Step {
  readonly rpc: string;
  readonly request: JsonValue;
  readonly expect: {
    readonly ok?: unknown;
    readonly reason?: string;
    readonly leaf?: unknown;
    readonly absent?: readonly string[];
    readonly present?: readonly string[];
  };
  readonly capture?: Readonly<Record<string, string>>;
  readonly now?: string;
  readonly restart?: boolean;
}

interface Scenario {
  readonly name: string;
  readonly config?: { readonly supportRoute?: string; readonly formats?: Record<string, Record<string, unknown>> };
  readonly steps: readonly Step[];
}

const file = new URL("../../scenarios/conversation.json", import.meta.url);
const { scenarios } = JSON.parse(readFileSync(file, "utf8")) as { scenarios: readonly Scenario[] };
const served = [
  "Issue",
  "Adopt",
  "Resume",
  "Judge",
  "RegisterReplay",
  "GetTranscript",
  "Attribute",
  "GetCheckpoint",
  "ListCheckpoints",
  "DeriveThreadKey",
  "GetSupportWindow",
];
const now = scenarios.filter(({ steps }) => steps.every(({ rpc }) => served.includes(rpc.split("/")[1] ?? "")));

describe("the scenarios whose calls exist", () => {
  it("are most of those that neither attribute, replay nor freeze", () => {
    expect(now.length).toBeGreaterThanOrEqual(30);
  });

  it.each(now)("$name", async ({ config, steps }) => {
    let time: number | undefined;
    const settings = { window: windowOf(config), now: () => time ?? Date.now() };
    let desk = await openDesk(settings);
    const captured = new Map<string, unknown>();
    try {
      for (const step of steps) {
        time = step.now === undefined ? time : Date.parse(step.now);
        if (step.restart) {
          await desk.close();
          desk = await openDesk({ ...settings, folder: desk.folder });
        }
        const answer = await run(desk, step, captured);
        check(answer, filled(step.expect, captured) as Step["expect"]);
        for (const [name, path] of Object.entries(step.capture ?? {})) captured.set(name, at(answer.ok, path));
      }
    } finally {
      await desk.drop();
    }
  });
});

type Desk = Awaited<ReturnType<typeof openDesk>>;
type Answer = { readonly ok?: unknown; readonly leaf?: unknown; readonly reason?: string };

async function run(desk: Desk, step: Step, captured: ReadonlyMap<string, unknown>): Promise<Answer> {
  const method = ConversationService.methods.find(({ name }) => step.rpc.endsWith(`/${name}`));
  if (method === undefined) throw new Error(step.rpc);
  const rpc = desk[method.localName as keyof Desk] as unknown as Unary<unknown, never>;
  const request = fromJson(method.input, filled(step.request, captured) as JsonValue);
  const outcome = await rpc(request, call);
  if (outcome.kind === "ok") return { ok: toJson(method.output, outcome.value) };
  const leaf = toJson(RefusalSchema, { $typeName: "fermata.refusal.v1.Refusal", leaf: outcome.leaf, remedy: 0 });
  return { leaf, reason: outcome.leaf.case.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase() };
}

function check(answer: Answer, expected: Step["expect"]): void {
  if (expected.reason !== undefined) {
    expect(answer.reason).toBe(expected.reason);
    const { remedy: _, ...leaf } = (expected.leaf ?? {}) as Record<string, unknown>;
    expect(answer.leaf).toMatchObject(leaf);
    return;
  }
  expect(answer.leaf).toBeUndefined();
  expect(answer.ok).toMatchObject(expected.ok as object);
  for (const path of expected.absent ?? []) expect(at(answer.ok, path) ?? false).toBe(false);
  for (const path of expected.present ?? []) expect(at(answer.ok, path)).toBeTruthy();
}

function windowOf(config: Scenario["config"]) {
  const formats = Object.entries(config?.formats ?? {}).map(([format, found]) => [
    format,
    Object.fromEntries(
      Object.entries(found).map(([key, value]) => [key, key.endsWith("Until") ? Date.parse(String(value)) : value]),
    ),
  ]);
  return { formats: Object.fromEntries(formats), supportRoute: config?.supportRoute };
}

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}

function filled(value: unknown, captured: ReadonlyMap<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(value), (_, found) =>
    typeof found === "string" && found.startsWith("$") ? captured.get(found.slice(1)) : found,
  );
}
