import { connect } from "node:http2";
import { create, type DescField, type DescMessage, type JsonObject, toJson } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it } from "vitest";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { SkillService } from "../../src/gen/fermata/skill/v1/skill_service_pb.ts";
import { SidecarProcess } from "../life/sidecar-process.ts";
import { wireCallers } from "../transport/callers.ts";
import { type Child, startChild } from "./child.ts";
import { rawExchange, rawRequest } from "./raw-http1.ts";
import { rawStream } from "./raw-http2.ts";
import { enveloped, resolvePath } from "./requests.ts";

const canary = "CANARY7f3a";
const base64 = Buffer.from(canary).toString("base64");
const methods = [PaletteService, ConversationService, SkillService].flatMap((service) => service.methods);

let sidecar: SidecarProcess | undefined;
let child: Child | undefined;

afterEach(async () => {
  await sidecar?.kill();
  await child?.end();
  sidecar = undefined;
  child = undefined;
});

describe("neither output of a sidecar holds content", () => {
  it("of any field of any request, over any protocol", async () => {
    sidecar = await SidecarProcess.serving("--log-level", "debug");
    const callers = wireCallers(await sidecar.address());
    for (const method of methods) {
      for (const request of requestsOf(method.input)) {
        expect(JSON.stringify(request)).toMatch(new RegExp(`${canary}|${base64.slice(0, 8)}|^{}$`));
        for (const caller of callers) await caller.call(method, request);
      }
    }
    for (const caller of callers) caller.close();
    await stopped(sidecar);
    expect(sidecar.lines().filter(({ msg }) => msg === "call").length).toBeGreaterThan(50);
    expectSilent(sidecar.output);
  });

  it("of a header, a path, a method or a body that cannot be read", async () => {
    sidecar = await SidecarProcess.serving("--log-level", "debug");
    const address = await sidecar.address();
    const good = [
      ["host", "localhost"],
      ["content-type", "application/json"],
    ] as const;
    for (const request of [
      { path: `/${canary}/${canary}`, headers: good },
      { path: `${resolvePath}?${canary}`, headers: good },
      { path: resolvePath, headers: [["host", canary]] as const },
      { path: resolvePath, headers: [...good, ["traceparent", `00-${canary.repeat(5)}-01`]] as const },
      { path: resolvePath, headers: [...good, ["traceparent", canary.repeat(9)]] as const },
      { path: resolvePath, headers: [...good, ["connect-timeout-ms", canary]] as const },
      { path: resolvePath, headers: [...good, ["connect-protocol-version", canary]] as const },
      { path: resolvePath, headers: [...good, ["content-encoding", canary]] as const },
      { path: resolvePath, headers: [...good, ["user-agent", canary]] as const },
      { path: resolvePath, headers: good, body: Buffer.from(`{"forcedTool":${canary}`) },
      { path: resolvePath, headers: good, body: Buffer.from(`{"${canary}":1}`) },
      { path: resolvePath, headers: good, body: Buffer.from(`{"forcedTool":{"a":"${canary}"}}`) },
      { path: resolvePath, headers: good, body: Buffer.from(`{"registry":{},"forcedTool":"${canary}"}`) },
    ]) {
      await rawExchange(address, rawRequest(request));
    }
    for (const extra of [
      ["grpc-timeout", canary],
      ["grpc-encoding", canary],
      ["traceparent", canary.repeat(5)],
      ["traceparent", `00-${canary.repeat(4).slice(0, 32)}-${canary}-01`],
      [`x!${canary.toLowerCase()}`, canary],
      ["x-text", Buffer.from(`${canary}é`, "latin1")],
      ["x-more-bin", `${canary}!!!`],
      ["fermata-deadline", canary],
    ] as const) {
      const list = [
        [":method", "POST"],
        [":scheme", "http"],
        [":path", resolvePath],
        [":authority", "localhost"],
        ["content-type", "application/grpc"],
        extra,
      ] as const;
      await rawStream(address, list, enveloped(Buffer.from([0x0a, 0])));
      await rawStream(address, list, enveloped(Buffer.from(canary), 1));
    }
    await resetInTheMiddle(address);
    await stopped(sidecar);
    expectSilent(sidecar.output);
  });

  it("that a handler throws", async () => {
    child = await startChild("loud-server.ts");
    const { address } = JSON.parse(child.firstLine);
    const callers = wireCallers(address);
    for (const caller of callers) {
      await caller.call(PaletteService.method.resolve, { forcedTool: canary });
      await caller.call(PaletteService.method.verifyCalls, { calls: [canary] });
      await caller.call(PaletteService.method.registerTools, { registry: { tools: [{ name: canary }] } });
      await caller.call(ConversationService.method.replay, { checkpointId: canary });
      caller.close();
    }
    await until(() => (child?.output().match(/"msg":"call"/g) ?? []).length >= 4 * callers.length);
    const lines = child
      .output()
      .split("\n")
      .filter((line) => line.includes("a bug ended a call"));
    expect(lines.length).toBeGreaterThanOrEqual(3 * callers.length);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        cause: {
          class: expect.stringMatching(/^(Error|TypeError|FieldError|CANARY7f3a)$/),
          at: expect.stringMatching(/^(loud-server\.ts|response-encoder\.ts|wire-types\.ts|to-binary\.js):\d+$/),
        },
      });
    }
    expectSilent(child.output());
  });
});

function expectSilent(output: string): void {
  for (const secret of [canary, canary.toLowerCase(), base64.slice(0, 10)]) {
    const found = output.split("\n").filter((line) => line.includes(secret));
    expect(found, secret).toEqual([]);
  }
}

async function stopped(running: SidecarProcess): Promise<void> {
  running.signal("SIGTERM");
  expect(await running.ended).toBe(0);
}

/** A client that leaves while its answer is on the way: connect-node logs what it could not write. */
async function resetInTheMiddle(address: string): Promise<void> {
  const session = connect(`http://${address}`);
  const call = session.request({ ":method": "POST", ":path": resolvePath, "content-type": "application/json" });
  call.on("error", () => undefined);
  call.write(`{"registry":{},"forcedTool":"${canary}`);
  await new Promise((done) => setTimeout(done, 50));
  call.close(8);
  session.destroy();
}

/** Requests in which each field of each kind holds the canary; one request for each member of each oneof. */
function requestsOf(schema: DescMessage): readonly JsonObject[] {
  const most = Math.max(1, ...schema.oneofs.map(({ fields }) => fields.length));
  return Array.from({ length: most }, (_, member) => {
    const init = filledMessage(schema, member, 0);
    return toJson(schema, create(schema, init as never)) as JsonObject; // requests are no well-known types
  });
}

function filledMessage(schema: DescMessage, member: number, depth: number): Record<string, unknown> {
  switch (schema.typeName) {
    case "google.protobuf.Timestamp":
    case "google.protobuf.Duration":
      return { seconds: 5n, nanos: 0 };
    case "google.protobuf.Struct":
      return {};
  }
  const init: Record<string, unknown> = {};
  for (const field of schema.fields) {
    if (field.oneof === undefined) init[field.localName] = filledField(field, member, depth);
  }
  for (const oneof of schema.oneofs) {
    const field = oneof.fields[member % oneof.fields.length];
    if (field !== undefined)
      init[oneof.localName] = { case: field.localName, value: filledField(field, member, depth) };
  }
  return init;
}

function filledField(field: DescField, member: number, depth: number): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return filledScalar(field.scalar);
    case "enum":
      return field.enum.values.at(-1)?.number;
    case "message":
      return depth > 3 ? undefined : filledMessage(field.message, member, depth + 1);
    case "list":
      if (field.listKind === "message") return depth > 3 ? [] : [filledMessage(field.message, member, depth + 1)];
      return field.listKind === "enum" ? [field.enum.values.at(-1)?.number] : [filledScalar(field.scalar)];
    case "map":
      return { [canary]: field.mapKind === "scalar" ? filledScalar(field.scalar) : undefined };
  }
}

/** By the number of protobuf's type: strings, bytes, booleans and 64-bit integers are what they are in JavaScript. */
function filledScalar(type: number): unknown {
  if (type === 9) return canary;
  if (type === 12) return Buffer.from(canary);
  if (type === 8) return true;
  return [3, 4, 6, 16, 18].includes(type) ? 7n : 7;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resume) => setTimeout(resume, 20));
}
