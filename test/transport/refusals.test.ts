import { create, fromBinary, type JsonObject, toJson } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Refusal, refuse } from "../../src/domain/outcome.ts";
import { leaves, ruleFor } from "../../src/domain/refusal-rule.ts";
import { PaletteService, ResolveRequestSchema } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { RefusalSchema } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { type Status, StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import { unary } from "../../src/transport/route.ts";
import { anyRefusalOf, anyText } from "./arbitrary-leaves.ts";
import { type WireCaller, wireCallers } from "./callers.ts";
import { GrpcWire, headerListBytes, type WireAnswer } from "./grpc-wire.ts";
import { startServer, type TestServer } from "./servers.ts";
import { TestSidecar } from "./sidecars.ts";

const { resolve } = PaletteService.method;
const request = create(ResolveRequestSchema);

let server: TestServer;
let wire: GrpcWire;
let callers: readonly WireCaller[];
/** What the server refuses with next. */
let next: Refusal = refuse("registryUnknown", {});
/** The largest header list of all, for the report of the run. */
let largest = 0;

beforeAll(async () => {
  server = await startServer({ routes: [unary(resolve, () => next, "turn")] });
  wire = new GrpcWire(server.address);
  callers = wireCallers(server.address);
});

afterAll(async () => {
  console.info(`largest header list of a refusal: ${largest} bytes`);
  wire.close();
  for (const caller of callers) caller.close();
  await server.stop();
});

describe("whatever the facts, over gRPC", () => {
  it.each(leaves)("$reason is one small Trailers-Only answer that holds the leaf", async (leaf) => {
    await fc.assert(
      fc.asyncProperty(anyRefusalOf(leaf), async (refusal) => {
        next = refusal;
        expectWhole(await wire.call(resolve, request), refusal);
      }),
      { numRuns: 60 },
    );
  });
});

describe("whatever the facts, over all four", () => {
  it.each(leaves)("$reason is the same bytes", async (leaf) => {
    await fc.assert(
      fc.asyncProperty(anyRefusalOf(leaf), async (refusal) => {
        next = refusal;
        const expected = Buffer.from(detailsOf(await wire.call(resolve, request)), "base64").toString("hex");
        for (const caller of callers) {
          const answer = await caller.call(resolve, {});
          expect(answer.kind, caller.name).toBe("refused");
          if (answer.kind !== "refused") return;
          expect(Buffer.from(answer.status).toString("hex"), caller.name).toBe(expected);
          expectConsistent(fromBinary(StatusSchema, answer.status), answer.code, answer.text);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe("whatever the names that reach the sidecar", () => {
  const sidecar = new TestSidecar({});
  let real: GrpcWire;

  beforeAll(async () => {
    await sidecar.start();
    real = new GrpcWire(sidecar.address);
  });

  afterAll(async () => {
    real.close();
    await sidecar.end();
  });

  it.each(planes())(
    "a force beside 10,000 tools of 128 bytes of plane %s is refused in one small answer",
    async (_plane, letter) => {
      const tools = Array.from({ length: 10_000 }, (_, at) => ({ name: filled(letter, at) }));
      const forced = create(ResolveRequestSchema, {
        registered: { case: "registry", value: { tools } },
        forcedTool: filled(letter, 10_000),
      });
      const answer = await real.call(resolve, forced);
      expectSmall(answer);
      const { status } = statusOf(answer);
      expect(refusalOf(status)).toMatchObject({ forcedToolUnavailable: { registered: { total: 10_000 } } });
      expect(status.code).toBe(9);
    },
  );

  it("any names, labels and force are answered by OK or by one small refusal, in binary and in JSON", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { maxLength: 30 }),
        anyText,
        fc.array(anyText, { maxLength: 8 }),
        async (names, forcedTool, others) => {
          const tools = names.map((name) => ({ name, tags: others.slice(0, 3) }));
          const init = { forcedTool, alwaysOffer: others, labels: { [others[0] ?? "a"]: others[1] ?? "" } };
          const binary = create(ResolveRequestSchema, { registered: { case: "registry", value: { tools } }, ...init });
          const answer = await real.call(resolve, binary);
          if (answer.trailersOnly) expectSmall(answer);
          const json = await fetch(`http://${sidecar.address}/fermata.palette.v1.PaletteService/Resolve`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ registry: { tools }, ...init }),
          });
          expect(json.status).toBeOneOf([200, 400]);
          if (json.status !== 200) expect(await json.json()).toHaveProperty("code");
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** All that refusals.md says of a status, of what came over the wire. */
function expectWhole(answer: WireAnswer, refusal: Refusal): void {
  expectSmall(answer);
  const { status } = statusOf(answer);
  const rule = ruleFor(refusal.leaf);
  expect(status.code).toBe(rule.code);
  const [info, sent] = [status.details[0], status.details[1]].map((any) => any?.value.length);
  expect(info && sent).toBeGreaterThan(0);
  const leaf = status.details.map((any) => anyUnpack(any, RefusalSchema)).find((found) => found !== undefined)?.leaf;
  expect(leaf?.case).toBe(refusal.leaf.case);
  const cause = (value: unknown): unknown =>
    (value as { cause?: unknown; direction?: unknown }).cause ?? (value as { direction?: unknown }).direction;
  expect(cause(leaf?.value)).toEqual(cause(refusal.leaf.value));
  const pushback = answer.first.find(([name]) => name === "grpc-retry-pushback-ms");
  expect(pushback !== undefined).toBe(refusal.leaf.case === "overloaded");
}

/** Trailers-Only, at most 4096 bytes, inner as outer. */
function expectSmall(answer: WireAnswer): void {
  expect(answer).toMatchObject({ trailersOnly: true, dataBytes: 0, trailers: 0 });
  const bytes = headerListBytes(answer.first);
  largest = Math.max(largest, bytes);
  expect(bytes, JSON.stringify(answer.first)).toBeLessThanOrEqual(4096);
  const { status, code, text } = statusOf(answer);
  expectConsistent(status, code, text);
  expect(encoded(answer).length).toBeLessThanOrEqual(512);
}

function expectConsistent(status: Status, code: number, text: string): void {
  expect(status.code).toBe(code);
  expect(status.message).toBe(text);
  expectOneLine(text);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256);
  for (const { typeUrl } of status.details) expect(typeUrl).toMatch(/^type\.googleapis\.com\/[\w.]+$/);
  expect(status.details.map(({ typeUrl }) => typeUrl).slice(0, 2)).toEqual([
    "type.googleapis.com/google.rpc.ErrorInfo",
    "type.googleapis.com/fermata.refusal.v1.Refusal",
  ]);
  const [first] = status.details;
  const metadata = Object.entries((first && anyUnpack(first, ErrorInfoSchema))?.metadata ?? {});
  expect(metadata.length).toBeLessThanOrEqual(16);
  expect(metadata.length).toBeGreaterThanOrEqual(2);
  expect(metadata.reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0)).toBeLessThanOrEqual(1024);
  for (const [, value] of metadata) expectOneLine(value);
  expectNamesFit(refusalOf(status));
}

/** At most 16 names of 1,024 bytes over all lists of a leaf, at most 4 violations of 600 bytes, single facts of at most 128. */
function expectNamesFit(refusal: JsonObject): void {
  const names: string[] = [];
  let violations = 0;
  const look = (value: unknown, within: "fact" | "list" | "violation"): void => {
    if (typeof value === "string" && within === "list") names.push(value);
    if (typeof value === "string" && within === "fact") expect(Buffer.byteLength(value)).toBeLessThanOrEqual(128);
    if (typeof value === "string" && within === "violation") violations += Buffer.byteLength(value);
    if (Array.isArray(value)) for (const item of value) look(item, typeof item === "string" ? "list" : "violation");
    else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) look(item, within);
  };
  look(refusal, "fact");
  expect(names.length).toBeLessThanOrEqual(16);
  expect(names.reduce((sum, name) => sum + Buffer.byteLength(name), 0)).toBeLessThanOrEqual(1024);
  expect(violations).toBeLessThanOrEqual(600);
}

function expectOneLine(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
}

function statusOf(answer: WireAnswer): { readonly status: Status; readonly code: number; readonly text: string } {
  const code = Number(answer.first.find(([name]) => name === "grpc-status")?.[1]);
  const status = fromBinary(StatusSchema, Buffer.from(detailsOf(answer), "base64"));
  return { status, code, text: decodeURIComponent(encoded(answer)) };
}

function detailsOf({ first }: WireAnswer): string {
  const found = first.filter(([name]) => name === "grpc-status-details-bin");
  expect(found.length).toBe(1);
  return found[0]?.[1] ?? "";
}

function encoded({ first }: WireAnswer): string {
  const found = first.filter(([name]) => name === "grpc-message");
  expect(found.length).toBe(1);
  return found[0]?.[1] ?? "";
}

function refusalOf(status: Status): JsonObject {
  const found = status.details.map((any) => anyUnpack(any, RefusalSchema)).find((message) => message !== undefined);
  return found === undefined ? {} : (toJson(RefusalSchema, found) as JsonObject); // a message that is no well-known type
}

/** A letter of each plane that has assigned ones, of private use where it has none. */
function planes(): readonly (readonly [plane: number, letter: string])[] {
  const letters = [0x25, 0xe9, 0x4e00, 0x1d110, 0x20000, 0x30000, 0x4fffd, 0xe0100, 0xf0000, 0x10fffd];
  return letters.map((point) => [Math.floor(point / 0x10000), String.fromCodePoint(point)]);
}

/** A name of exactly 128 bytes: the letter as often as it fits, and a number at its end. */
function filled(letter: string, at: number): string {
  const number = String(at).padStart(8, "0");
  const text = letter.repeat(Math.floor(120 / Buffer.byteLength(letter)));
  return `${text}${"x".repeat(120 - Buffer.byteLength(text))}${number}`;
}
