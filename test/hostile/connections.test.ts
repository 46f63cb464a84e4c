import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { ok } from "../../src/domain/outcome.ts";
import { PaletteService, ResolveResponseSchema } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { unary } from "../../src/transport/route.ts";
import type { TestServer, TestServerParts } from "../transport/servers.ts";
import { startHostileServer, stillAnswers } from "./hostile-server.ts";
import {
  cancel,
  continuation,
  endHeaders,
  frameConnection,
  goAway,
  headers,
  headersOf,
  ping,
  reset,
  settings,
  windowUpdate,
} from "./raw-frames.ts";
import { endsWithin, rawExchange, rawSocket } from "./raw-http1.ts";
import { clientPreface, frame, headerBlock, type RawHeaders } from "./raw-http2.ts";
import { protocols, resolvePath } from "./requests.ts";

let server: TestServer;

/** A server whose times are short enough for a test. */
async function start(parts: Partial<TestServerParts> = {}): Promise<string> {
  const limits = { prefaceTimeout: 300, headersTimeout: 400, bodyTimeout: 600, ...parts.limits };
  server = await startHostileServer({ ...parts, limits });
  return server.address;
}

afterEach(async () => {
  expect(await stillAnswers(server.address)).toBe(true);
  await server.stop();
});

describe("a connection that never says what it speaks", () => {
  it.each([
    ["nothing at all", Buffer.alloc(0)],
    ["one byte", Buffer.from("P")],
    ["three bytes", Buffer.from("PRI")],
    ["all of the preface but its last byte", clientPreface.subarray(0, 23)],
  ])("is ended after the preface time-out: %s", async (_name, bytes) => {
    const socket = rawSocket(await start());
    socket.write(bytes);
    expect(await endsWithin(socket, 1_500)).toBe(true);
  });

  it("is ended over a Unix socket as well", async () => {
    await start();
    const socket = (await import("node:net")).connect(server.socket);
    expect(await endsWithin(socket, 1_500)).toBe(true);
  });
});

describe("headers that never end", () => {
  it("are 408 over HTTP/1.1", async () => {
    const answer = await rawExchange(
      await start(),
      `POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\nx-slow: `,
      3_000,
    );
    expect(answer.status).toBe(408);
  });

  it("are 408 over HTTP/1.1 though a byte comes now and then", async () => {
    const socket = rawSocket(await start());
    socket.write(`POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\nx-slow: `);
    const drip = setInterval(() => socket.write("a"), 50);
    expect(await endsWithin(socket, 3_000)).toBe(true);
    clearInterval(drip);
  });

  it("end the connection over HTTP/2: a HEADERS frame without its end", async () => {
    const connection = frameConnection(await start());
    connection.send(frame(headers, 0, 1, headerBlock([[":method", "POST"]])));
    expect(await endsWithin(connection.socket, 3_000)).toBe(true);
  });

  it("end the connection over HTTP/2: CONTINUATION frames without end", async () => {
    const connection = frameConnection(await start());
    connection.send(frame(headers, 0, 1, headerBlock([[":method", "POST"]])));
    const flood = setInterval(() => {
      const block = headerBlock([["x-more", "a".repeat(1_000)]]);
      connection.send(...Array.from({ length: 20 }, () => frame(continuation, 0, 1, block)));
    }, 10);
    expect(await endsWithin(connection.socket, 3_000)).toBe(true);
    clearInterval(flood);
  });

  it("end the connection over HTTP/2: a preface and then nothing", async () => {
    const socket = rawSocket(await start());
    socket.write(clientPreface.subarray(0, 24));
    expect(await endsWithin(socket, 3_000)).toBe(true);
  });
});

describe("bytes that are no protocol of ours", () => {
  it("of TLS are turned away", async () => {
    const clientHello = Buffer.concat([Buffer.from("160301020001000001fc0303", "hex"), randomBytes(500)]);
    const answer = await rawExchange(await start(), clientHello);
    expect(answer).toMatchObject({ status: 400 });
  });

  it.each([
    ["SSH", "SSH-2.0-client\r\n"],
    ["an HTTP/0.9 request", "GET /\r\n"],
    ["a newer HTTP", "POST / HTTP/9.9\r\n\r\n"],
    ["a changed preface", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"],
    ["zeros", "\0".repeat(64)],
    [
      "a smuggled length",
      `POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`,
    ],
    [
      "length and chunks",
      `POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
    ],
    [
      "a chunk without a size",
      `POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ["a negative length", `POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n`],
    ["two Hosts", `POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n`],
  ])("%s are a 4xx or the end of the connection", async (_name, bytes) => {
    const answer = await rawExchange(await start(), bytes);
    if (answer.status === undefined) expect(answer.closed).toBe(true);
    else expect(answer.status).toBeOneOf([400, 404, 405, 408, 413, 415, 431, 501, 505]);
  });

  it("after HTTP/2's preface end the connection, or nothing happens", async () => {
    const address = await start();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (bytes) => {
        const socket = rawSocket(address);
        socket.write(Buffer.concat([clientPreface, bytes]));
        await endsWithin(socket, 20);
        socket.destroy();
      }),
      { numRuns: 60 },
    );
  });

  const good: RawHeaders = [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", resolvePath],
    [":authority", "localhost"],
    ["content-type", "application/grpc"],
  ];

  it.each([
    ["a frame larger than allowed", frame(0, 0, 1, Buffer.alloc(20_000))],
    ["data on a stream that is not open", frame(0, 1, 1, Buffer.alloc(5))],
    ["headers on an even stream", headersOf(2, good)],
    ["headers on stream 0", headersOf(0, good)],
    ["a stream number that goes back", Buffer.concat([headersOf(3, good), headersOf(1, good)])],
    ["settings with half an entry", frame(settings, 0, 0, Buffer.alloc(5))],
    ["settings on a stream", frame(settings, 0, 1, Buffer.alloc(6))],
    ["an initial window above 2^31", frame(settings, 0, 0, Buffer.from([0, 4, 0xff, 0xff, 0xff, 0xff]))],
    ["a frame size below 2^14", frame(settings, 0, 0, Buffer.from([0, 5, 0, 0, 0, 1]))],
    [
      "a window that overflows",
      Buffer.concat([1, 2].map(() => frame(windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])))),
    ],
    ["a window update of zero", frame(windowUpdate, 0, 0, Buffer.alloc(4))],
    ["a ping of seven bytes", frame(ping, 0, 0, Buffer.alloc(7))],
    ["a continuation of nothing", frame(continuation, endHeaders, 1, Buffer.alloc(0))],
    ["HPACK that refers to no entry", frame(headers, endHeaders, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x7f]))],
    ["HPACK that is cut", frame(headers, endHeaders, 1, Buffer.from([0, 0x7f, 0xff]))],
    ["a reset of an idle stream", cancel(7)],
    ["a push promise of a client", frame(5, endHeaders, 1, Buffer.from([0, 0, 0, 2]))],
    [
      "an unknown frame of nothing and then a good preface",
      Buffer.concat([frame(0xee, 0, 0, Buffer.alloc(0)), clientPreface]),
    ],
  ])("%s is an error of that connection only", async (_name, bytes) => {
    const connection = frameConnection(await start());
    connection.send(bytes);
    const answer = await connection.next(({ type }) => type === goAway || type === reset).catch(() => undefined);
    expect(answer !== undefined || connection.socket.destroyed).toBe(true);
    connection.socket.destroy();
  });

  it("a flood of pings and settings ends at HTTP/2's own limit, or is answered", async () => {
    const connection = frameConnection(await start());
    connection.socket.pause();
    const flood = Array.from({ length: 20_000 }, () => frame(ping, 0, 0, Buffer.alloc(8)));
    connection.send(...flood, ...Array.from({ length: 5_000 }, () => frame(settings, 0, 0, Buffer.alloc(0))));
    await new Promise((resolve) => connection.socket.once("drain", resolve).once("close", resolve));
    connection.socket.destroy();
  });
});

describe("too much of everything", () => {
  it("holds at most as many connections as are allowed, and answers when they have gone", async () => {
    const address = await start({ limits: { connections: 64, prefaceTimeout: 1_500 } });
    let kept: Socket[] = [];
    for (let wave = 0; wave < 10; wave += 1) {
      const sockets = Array.from({ length: 100 }, () => rawSocket(address));
      await Promise.all(sockets.map((socket) => once(socket, "connect").catch(() => undefined)));
      kept = [...kept, ...sockets];
    }
    await until(() => kept.filter(({ destroyed }) => destroyed).length >= 1_000 - 64);
    await until(() => kept.every(({ destroyed }) => destroyed));
  });

  it.each(protocols)("ends a connection that resets its streams without end, $type", async ({ type }) => {
    const connection = frameConnection(await start());
    await connection.next(({ type: kind }) => kind === settings);
    const list = callOf(type);
    for (let at = 0; at < 600 && !connection.socket.destroyed; at += 1) {
      connection.send(resetAtOnce(2 * at + 1, list));
      if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await endsWithin(connection.socket, 1_000)).toBe(true);
  });

  it("bears a few resets", async () => {
    const connection = frameConnection(await start({ limits: { headersTimeout: 5_000 } }));
    await connection.next(({ type }) => type === settings);
    for (let at = 0; at < 100; at += 1) connection.send(resetAtOnce(2 * at + 1, callOf("application/grpc")));
    expect(await endsWithin(connection.socket, 300)).toBe(false);
    connection.socket.destroy();
  });

  it("bears six hundred resets in its first packet, in each content type and with a bad authority", async () => {
    const address = await start();
    for (const { type } of protocols) {
      for (const authority of ["localhost", "["]) {
        const connection = frameConnection(address);
        const list = callOf(type, authority);
        const burst = (first: number): Buffer =>
          Buffer.concat(Array.from({ length: 600 }, (_, at) => resetAtOnce(first + 2 * at, list)));
        connection.send(burst(1));
        await connection.next(({ type: kind }) => kind === settings);
        connection.send(burst(1_201));
        expect(await endsWithin(connection.socket, 2_000), `${type} ${authority}`).toBe(true);
      }
    }
  });

  it("runs 128 streams of a connection and refuses the 129th", async () => {
    let running = 0;
    const never = unary(
      PaletteService.method.resolve,
      ({ forcedTool }) => {
        if (forcedTool === undefined) return ok(create(ResolveResponseSchema));
        running += 1;
        return new Promise(() => undefined);
      },
      "turn",
    );
    const address = await start({ routes: [never], limits: { bodyTimeout: 5_000, headersTimeout: 5_000 } });
    const connection = frameConnection(address);
    await connection.next(({ type }) => type === settings);
    const body = Buffer.from([0, 0, 0, 0, 3, 0x4a, 1, 0x78]); // forced_tool = 9: "x"
    for (let at = 0; at < 129; at += 1) {
      connection.send(headersOf(2 * at + 1, callOf("application/grpc")), frame(0, 1, 2 * at + 1, body));
    }
    const refused = await connection.next(({ type }) => type === reset);
    expect(refused).toMatchObject({ stream: 257, payload: Buffer.from([0, 0, 0, 7]) });
    expect(running).toBe(128);
    connection.socket.destroy();
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function resetAtOnce(stream: number, list: RawHeaders): Buffer {
  return Buffer.concat([headersOf(stream, list), cancel(stream)]);
}

function callOf(type: string, authority = "localhost"): RawHeaders {
  return [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", resolvePath],
    [":authority", authority],
    ["content-type", type],
  ];
}
