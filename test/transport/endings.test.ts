import { type ClientHttp2Session, connect } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ok } from "../../src/domain/outcome.ts";
import {
  ConversationService,
  ReplayResponseSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import {
  PaletteService,
  ResolveRequestSchema,
  ResolveResponseSchema,
} from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import type { Call } from "../../src/rpc/rpc.ts";
import { pathOf, stream, unary } from "../../src/transport/route.ts";
import { readStatus } from "../golden/golden-status.ts";
import { enveloped } from "../hostile/requests.ts";
import { wireCallers } from "./callers.ts";
import { startServer, type TestServer } from "./servers.ts";

const { resolve } = PaletteService.method;
const { replay } = ConversationService.method;

/** Calls that a handler holds until the test lets them go. */
let held: { readonly call: Call; readonly letGo: () => void }[];
let server: TestServer;

beforeEach(async () => {
  held = [];
  server = await startServer({
    routes: [
      unary(
        resolve,
        ({ forcedTool }, call) => {
          if (forcedTool === "at once") return ok(create(ResolveResponseSchema));
          return new Promise((done) => held.push({ call, letGo: () => done(ok(create(ResolveResponseSchema))) }));
        },
        "turn",
      ),
      stream(replay, async (_request, call) => {
        await new Promise<void>((letGo) => held.push({ call, letGo }));
        return ok(
          (async function* () {
            yield create(ReplayResponseSchema);
            await new Promise<void>((letGo) => held.push({ call, letGo }));
          })(),
        );
      }),
    ],
    limits: { callsInFlight: 4, replaysInFlight: 2, callDeadline: 600 },
  });
});

afterEach(async () => {
  for (const { letGo } of held) letGo();
  await server.stop();
});

describe("the cap of calls in flight", () => {
  it("answers OVERLOADED with its delay, in the details and as a push-back, over every protocol", async () => {
    const callers = wireCallers(server.address);
    const [first] = callers;
    const waiting = Array.from({ length: 4 }, () => first?.call(resolve, {}));
    await until(() => held.length === 4);
    for (const caller of callers) {
      const refused = await caller.call(resolve, { forcedTool: "at once" });
      expect(refused, caller.name).toMatchObject({ kind: "refused", code: 8 });
      if (refused.kind !== "refused") return;
      const { facts, details } = readStatus(refused.status);
      expect(facts).toEqual({ overloaded: { limit: "in_flight", retryDelay: "0.250s" }, remedy: "REMEDY_RETRY_LATER" });
      expect(details).toContain("google.rpc.RetryInfo");
    }
    expect((await rawCall({})).headers["grpc-retry-pushback-ms"]).toBe("250");
    for (const { letGo } of held) letGo();
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ kind: "ok" });
    for (const caller of callers) {
      expect(await caller.call(resolve, { forcedTool: "at once" }), caller.name).toMatchObject({ kind: "ok" });
      caller.close();
    }
  });

  it("keeps room for other calls beside replays", async () => {
    const [grpc] = wireCallers(server.address);
    const waiting = [grpc?.call(replay, {}), grpc?.call(replay, {})];
    await until(() => held.length === 2);
    const refused = await grpc?.call(replay, {});
    expect(refused).toMatchObject({ kind: "refused", code: 8 });
    if (refused?.kind === "refused") {
      expect(readStatus(refused.status).facts).toMatchObject({ overloaded: { limit: "replays" } });
    }
    expect(await grpc?.call(resolve, { forcedTool: "at once" })).toMatchObject({ kind: "ok" });
    for (let round = 0; round < 2; round += 1) {
      await until(() => held.length === 2);
      for (const { letGo } of held.splice(0)) letGo();
    }
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ kind: "ok", messages: [{}] });
    grpc?.close();
  });

  it("counts a call no more once its client has gone, over every protocol", async () => {
    for (const cancel of cancellers()) {
      held = [];
      const gone = Array.from({ length: 4 }, () => cancel());
      await until(() => held.length === 4);
      const signals = held.map(({ call }) => call.signal);
      for (const end of gone) end();
      await until(() => signals.every(({ aborted }) => aborted));
      expect((await rawCall({}, "at once")).headers["grpc-status"]).toBe("0");
    }
  });
});

describe("the deadline of a call", () => {
  it.each([
    ["1m", 4],
    ["50m", 4],
    ["100000u", 4],
    ["1n", 4],
    ["0S", 4],
  ])("of %s ends a call that its handler never ends, with our leaf", async (timeout, code) => {
    const { headers } = await rawCall({ "grpc-timeout": timeout });
    expect(headers["grpc-status"]).toBe(String(code));
    const { facts } = readStatus(Buffer.from(String(headers["grpc-status-details-bin"]), "base64"));
    expect(facts).toEqual({ deadlineExceeded: {}, remedy: "REMEDY_RETRY_LATER" });
  });

  it.each(["99999999H", "99999999M", "99999999S", "2147484S", "4294968S"])(
    "of %s is no shorter than the sidecar's own",
    async (timeout) => {
      const started = Date.now();
      const answer = rawCall({ "grpc-timeout": timeout });
      await until(() => held.length === 1);
      const { deadline } = held[0]?.call ?? { deadline: 0 };
      expect(deadline - started).toBeGreaterThan(1_900);
      expect(deadline - started).toBeLessThan(2_500);
      for (const { letGo } of held) letGo();
      expect((await answer).headers["grpc-status"]).toBe("0");
    },
  );

  it.each(["x", "1", "S", "-1S", "1.5S", "123456789S", "1 S", "1S1S", "1s"])(
    "in a malformed header is a clear status, and nothing runs: %s",
    async (timeout) => {
      const { headers } = await rawCall({ "grpc-timeout": timeout }, "at once");
      expect(Number(headers["grpc-status"])).toBeOneOf([3, 13]);
    },
  );

  it.each([
    ["connect-timeout-ms", "9999999999", "application/json", "{}"],
    ["connect-timeout-ms", "2147483648", "application/json", "{}"],
    ["connect-timeout-ms", "2147483647", "application/json", "{}"],
    ["grpc-timeout", "99999999H", "application/grpc-web+proto", enveloped(Buffer.alloc(0))],
    ["grpc-timeout", "99999999S", "application/grpc-web+proto", enveloped(Buffer.alloc(0))],
  ])("in %s of %s is no shorter than the sidecar's own, %s", async (name, value, type, body) => {
    const started = Date.now();
    const answer = fetch(`http://${server.address}${pathOf(resolve)}`, {
      method: "POST",
      headers: { "content-type": type, [name]: value },
      body,
    });
    await until(() => held.length === 1);
    expect((held[0]?.call.deadline ?? 0) - started).toBeGreaterThan(1_900);
    await new Promise((resume) => setTimeout(resume, 30));
    expect(held[0]?.call.signal.aborted).toBe(false);
    for (const { letGo } of held) letGo();
    expect((await answer).status).toBe(200);
  });

  it.each(["x", "-1", "1.5", "99999999999", ""])("in a malformed connect-timeout-ms is a 4xx: %s", async (value) => {
    const answer = await fetch(`http://${server.address}${pathOf(resolve)}`, {
      method: "POST",
      headers: { "content-type": "application/json", "connect-timeout-ms": value },
      body: '{"forcedTool":"at once"}',
    });
    expect(answer.status).toBeOneOf([200, 400]);
  });

  it("is the leaf over gRPC-Web and Connect as well", async () => {
    for (const [type, body] of [
      ["application/json", "{}"],
      ["application/proto", ""],
    ] as const) {
      const answer = await fetch(`http://${server.address}${pathOf(resolve)}`, {
        method: "POST",
        headers: { "content-type": type, "connect-timeout-ms": "50" },
        body,
      });
      const told = await answer.text();
      expect(told).toContain("deadline_exceeded");
      expect(told).toContain("fermata.refusal.v1.Refusal");
    }
    const web = await fetch(`http://${server.address}${pathOf(resolve)}`, {
      method: "POST",
      headers: { "content-type": "application/grpc-web+proto", "grpc-timeout": "50m" },
      body: enveloped(Buffer.alloc(0)),
    });
    const told = `${JSON.stringify([...web.headers])}${await web.text()}`;
    expect(told).toMatch(/grpc-status(: |",")4/);
    expect(told).toContain("grpc-status-details-bin");
  });

  it("ends a stream that never yields, and one that stops after its first message", async () => {
    for (const messages of [0, 1]) {
      held = [];
      const client = new Client(server.address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
      const call = client.makeServerStreamRequest(
        pathOf(replay),
        (bytes: Buffer) => bytes,
        (bytes) => bytes,
        Buffer.alloc(0),
        new Metadata(),
        { deadline: Date.now() + 60_000 },
      );
      const ended = new Promise<ServiceError>((done) => call.on("error", (fault: ServiceError) => done(fault)));
      let count = 0;
      call.on("data", () => {
        count += 1;
      });
      await until(() => held.length === 1);
      if (messages === 1) held[0]?.letGo();
      await until(() => count === messages);
      server.calls.endAll();
      const fault = await ended;
      expect(fault.code).toBe(14);
      const { facts } = readStatus(fault.metadata.get("grpc-status-details-bin")[0] as Buffer);
      expect(facts).toMatchObject({ shuttingDown: {} });
      client.close();
    }
  });
});

/** One way per protocol to begin a call and to leave it. */
function cancellers(): readonly (() => () => void)[] {
  const body = enveloped(Buffer.alloc(0));
  const aborted = (type: string, text: string | Uint8Array<ArrayBuffer>) => () => {
    const controller = new AbortController();
    const headers = { "content-type": type };
    const url = `http://${server.address}${pathOf(resolve)}`;
    fetch(url, { method: "POST", headers, body: text, signal: controller.signal }).catch(() => undefined);
    return () => controller.abort();
  };
  const reset = (type: string, bytes: Buffer) => () => {
    const session = connect(`http://${server.address}`);
    const call = session.request({ ":method": "POST", ":path": pathOf(resolve), "content-type": type });
    call.on("error", () => undefined);
    call.end(bytes);
    return () => {
      call.close(8);
      session.close();
    };
  };
  const dropped = () => {
    const session: ClientHttp2Session = connect(`http://${server.address}`);
    session.on("error", () => undefined);
    const call = session.request({ ":method": "POST", ":path": pathOf(resolve), "content-type": "application/grpc" });
    call.on("error", () => undefined);
    call.end(body);
    return () => session.destroy();
  };
  return [
    reset("application/grpc", body),
    reset("application/grpc-web+proto", body),
    reset("application/json", Buffer.from("{}")),
    aborted("application/json", "{}"),
    aborted("application/grpc-web+proto", new Uint8Array(body)),
    dropped,
  ];
}

/** One gRPC call without a client's own deadline or retries; the headers of its answer, trailers included. */
function rawCall(
  extra: Record<string, string>,
  forcedTool?: string,
): Promise<{ readonly headers: Record<string, unknown> }> {
  const session = connect(`http://${server.address}`);
  const request = create(ResolveRequestSchema, forcedTool === undefined ? {} : { forcedTool });
  const body = enveloped(Buffer.from(toBinary(ResolveRequestSchema, request)));
  return new Promise((done, reject) => {
    const headers: Record<string, unknown> = {};
    const call = session.request({
      ":method": "POST",
      ":path": pathOf(resolve),
      "content-type": "application/grpc",
      te: "trailers",
      ...extra,
    });
    call.on("response", (found) => Object.assign(headers, found));
    call.on("trailers", (found) => Object.assign(headers, found));
    call.on("error", reject);
    call.on("close", () => {
      session.close();
      done({ headers });
    });
    call.resume();
    call.end(body);
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resume) => setTimeout(resume, 5));
}
