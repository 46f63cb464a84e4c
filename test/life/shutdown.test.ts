import { create, toBinary } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it } from "vitest";
import { PaletteService, ResolveRequestSchema } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { Health } from "../../src/gen/health/v1/health_pb.ts";
import { data, endStream, frameConnection, goAway, headersOf, settings, windowUpdate } from "../hostile/raw-frames.ts";
import { rawSocket } from "../hostile/raw-http1.ts";
import { frame } from "../hostile/raw-http2.ts";
import { enveloped, resolvePath } from "../hostile/requests.ts";
import { grpcCaller, wireCallers } from "../transport/callers.ts";
import { SidecarProcess } from "./sidecar-process.ts";

const { resolve } = PaletteService.method;

/** A stage that takes one tool away, so that the answer names all others. */
const longest = { name: "all-but-one", rule: { case: "limit", value: 9_999 } } as const;

let sidecar: SidecarProcess;

afterEach(() => sidecar.kill());

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  it("ends an idle sidecar at once, with 0", async () => {
    sidecar = await SidecarProcess.serving();
    const [grpc] = wireCallers(await sidecar.address());
    expect(await grpc?.call(resolve, { registry: {} })).toMatchObject({ kind: "ok" });
    const started = Date.now();
    sidecar.signal(signal);
    expect(await sidecar.ended).toBe(0);
    expect(Date.now() - started).toBeLessThan(1_000);
    expect(sidecar.lines().at(-1)).toMatchObject({ msg: "ended", code: 0 });
    grpc?.close();
  });
});

describe("SIGTERM", () => {
  it("lets a call in flight finish, then ends with 0", async () => {
    sidecar = await SidecarProcess.serving();
    const call = await stuckCall(sidecar);
    sidecar.signal("SIGTERM");
    await call.connection.next(({ type }) => type === goAway);
    await expectAlive(sidecar, 300);
    const widened = Buffer.from([0x00, 0x7f, 0xff, 0xff]);
    call.connection.send(frame(windowUpdate, 0, 0, widened), frame(windowUpdate, 0, 1, widened));
    const last = await call.connection.next(({ type, flags }) => type === 1 && (flags & endStream) !== 0);
    expect(last.stream).toBe(1);
    expect(call.received()).toBeGreaterThan(1_000_000);
    expect(await sidecar.ended).toBe(0);
  });

  it("answers calls whose request had not come yet with SHUTTING_DOWN, over HTTP/1.1 too", async () => {
    sidecar = await SidecarProcess.serving();
    const address = await sidecar.address();
    const socket = rawSocket(address);
    const parts: Buffer[] = [];
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.write(
      `POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
    );
    await new Promise((done) => setTimeout(done, 200));
    sidecar.signal("SIGTERM");
    await sidecar.line("stopping").catch(() => undefined);
    await new Promise((done) => setTimeout(done, 100));
    socket.write("}");
    expect(await sidecar.ended).toBe(0);
    const answer = Buffer.concat(parts).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 503/);
    expect(answer).toContain("fermata.refusal.v1.Refusal");
  });

  it("takes no new connection once it drains", async () => {
    sidecar = await SidecarProcess.serving();
    const call = await stuckCall(sidecar);
    sidecar.signal("SIGTERM");
    await call.connection.next(({ type }) => type === goAway);
    const socket = rawSocket(await sidecar.address());
    await new Promise((done) => socket.on("close", done));
    expect(socket.bytesRead).toBe(0);
    call.connection.socket.destroy();
    expect(await sidecar.ended).toBe(0);
  });

  it("gives up on a call that never ends after the drain timeout, with 0", async () => {
    sidecar = await SidecarProcess.serving("--drain-timeout", "500ms");
    await stuckCall(sidecar);
    const started = Date.now();
    sidecar.signal("SIGTERM");
    expect(await sidecar.ended).toBe(0);
    expect(Date.now() - started).toBeGreaterThanOrEqual(450);
    expect(Date.now() - started).toBeLessThan(3_000);
  });

  it("ends at once at a second signal, and says so by its exit code", async () => {
    sidecar = await SidecarProcess.serving();
    const call = await stuckCall(sidecar);
    sidecar.signal("SIGTERM");
    await call.connection.next(({ type }) => type === goAway);
    const started = Date.now();
    sidecar.signal("SIGTERM");
    expect(await sidecar.ended).toBe(143);
    expect(Date.now() - started).toBeLessThan(500);
  });

  it("ends a Watch of health on both listeners, and exits within a second", async () => {
    sidecar = await SidecarProcess.serving();
    const watching = [await sidecar.address(), await sidecar.adminAddress()].map((address) => {
      const caller = grpcCaller(address);
      return { caller, ended: caller.call(Health.method.watch, { service: "" }) };
    });
    await new Promise((done) => setTimeout(done, 300));
    const started = Date.now();
    sidecar.signal("SIGTERM");
    expect(await sidecar.ended).toBe(0);
    expect(Date.now() - started).toBeLessThan(1_000);
    const [data, admin] = await Promise.all(watching.map(({ ended }) => ended));
    expect(data).toMatchObject({ kind: "refused", code: 14, before: 2 });
    expect(admin).toMatchObject({ kind: "refused", code: 14 });
    for (const { caller } of watching) caller.close();
  });

  it("ends though clients keep idle connections of every kind", async () => {
    sidecar = await SidecarProcess.serving();
    const address = await sidecar.address();
    const idle = [rawSocket(address), rawSocket(address), rawSocket(await sidecar.adminAddress())];
    idle[1]?.write("PRI");
    const kept = frameConnection(address);
    await kept.next(({ type }) => type === settings);
    const callers = wireCallers(address);
    for (const caller of callers) expect(await caller.call(resolve, { registry: {} })).toMatchObject({ kind: "ok" });
    const started = Date.now();
    sidecar.signal("SIGTERM");
    expect(await sidecar.ended).toBe(0);
    expect(Date.now() - started).toBeLessThan(1_500);
    for (const caller of callers) caller.close();
  });
});

it("does not end when its stdout is closed, and answers on", async () => {
  sidecar = await SidecarProcess.serving();
  const address = await sidecar.address();
  sidecar.process.stdout?.destroy();
  const callers = wireCallers(address);
  for (let round = 0; round < 40; round += 1) {
    for (const caller of callers) expect(await caller.call(resolve, { registry: {} })).toMatchObject({ kind: "ok" });
  }
  await expectAlive(sidecar, 800);
  for (const caller of callers) {
    expect(await caller.call(resolve, { registry: {} })).toMatchObject({ kind: "ok" });
    caller.close();
  }
  sidecar.signal("SIGTERM");
  expect(await sidecar.ended).toBe(0);
});

/** A real call that stays in flight: its answer of more than a megabyte does not fit into the window, and nobody widens it. */
async function stuckCall(of: SidecarProcess) {
  const connection = frameConnection(await of.address());
  await connection.next(({ type }) => type === settings);
  const tools = Array.from({ length: 10_000 }, (_, at) => ({ name: String(at).padStart(128, "x") }));
  const request = create(ResolveRequestSchema, {
    registered: { case: "registry", value: { tools } },
    stages: [longest],
  });
  const body = enveloped(Buffer.from(toBinary(ResolveRequestSchema, request)));
  connection.send(
    headersOf(1, [
      [":method", "POST"],
      [":scheme", "http"],
      [":path", resolvePath],
      [":authority", "localhost"],
      ["content-type", "application/grpc"],
      ["te", "trailers"],
    ]),
  );
  let sent = 0;
  let window = 65_535;
  connection.socket.on("frames", () => {
    const widened = connection.received.filter(({ type, stream }) => type === windowUpdate && stream === 1);
    window = 65_535 + widened.reduce((sum, { payload }) => sum + payload.readUInt32BE(), 0);
    pump();
  });
  pump();
  const received = () =>
    connection.received.filter(({ type }) => type === data).reduce((sum, { payload }) => sum + payload.length, 0);
  await connection.next(({ type, stream }) => type === data && stream === 1, 5_000);
  return { connection, received };

  /** Sends what the server's window for the stream allows; that of the connection is as large. */
  function pump(): void {
    while (sent < body.length && sent < window) {
      const size = Math.min(16_384, window - sent, body.length - sent);
      const end = sent + size === body.length;
      connection.send(frame(data, end ? endStream : 0, 1, body.subarray(sent, sent + size)));
      sent += size;
    }
  }
}

async function expectAlive(of: SidecarProcess, ms: number): Promise<void> {
  const still = new Promise((resolve) => setTimeout(() => resolve("alive"), ms));
  expect(await Promise.race([of.ended, still])).toBe("alive");
}
