import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ResolveRequestSchema } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import type { TestServer } from "../transport/servers.ts";
import { startHostileServer, stillAnswers } from "./hostile-server.ts";
import { frameConnection, headersOf, settings } from "./raw-frames.ts";
import { endsWithin, rawExchange, rawRequest, rawSocket } from "./raw-http1.ts";
import { frame, http2Request, type RawHeaders } from "./raw-http2.ts";
import { enveloped, protocols, resolvePath } from "./requests.ts";

const limit = 100_000;
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const invalidArgument = 3;
const resourceExhausted = 8;
const unimplemented = 12;
const internal = 13;

let server: TestServer;

beforeAll(async () => {
  server = await startHostileServer({
    limits: { messageBytes: limit, bodyTimeout: 500, headersTimeout: 500, connections: 1_000 },
  });
});

afterAll(async () => {
  expect(await stillAnswers(server.address)).toBe(true);
  await server.stop();
});

describe.each(protocols)("a body that never ends, $type", ({ type, body }) => {
  it.each([
    ["nothing of it", 0],
    ["a part of it", 3],
  ])("ends its stream over HTTP/2: %s", async (_name, sent) => {
    const connection = frameConnection(server.address);
    await connection.next(({ type: kind }) => kind === settings);
    connection.send(headersOf(1, callOf(type)), frame(0, 0, 1, body.subarray(0, sent)));
    const answer = await connection.next(({ stream }) => stream === 1, 3_000);
    // Headers (408, or a status of the wrapper) or a reset: either tells the client.
    expect(answer.type).toBeOneOf([1, 3]);
    connection.socket.destroy();
  });

  it("ends its connection over HTTP/1.1", async () => {
    if (type === "application/grpc") return;
    const head = rawRequest({
      path: resolvePath,
      headers: [
        ["host", "localhost"],
        ["content-type", type],
        ["transfer-encoding", "chunked"],
      ],
    });
    const text = head.toString("latin1").replace("content-length: 0\r\n", "");
    const socket = rawSocket(server.address);
    socket.write(`${text}1\r\n{`);
    expect(await endsWithin(socket, 4_000)).toBe(true);
  });

  it("whose client drips it is ended as well", async () => {
    const connection = frameConnection(server.address);
    await connection.next(({ type: kind }) => kind === settings);
    connection.send(headersOf(1, callOf(type)));
    const drip = setInterval(() => connection.send(frame(0, 0, 1, Buffer.from([0]))), 100);
    const answer = await connection.next(({ stream }) => stream === 1, 3_000);
    expect(answer.type).toBeOneOf([1, 3]);
    clearInterval(drip);
    connection.socket.destroy();
  });

  it("beside a Content-Length that lies is a clear answer", async () => {
    const headers = { ...ordinary(type), "content-length": String(body.length + 10) };
    const answer = await http2Request(server.address, headers, body);
    expect(answer.status === 200 ? answer.grpcStatus : (answer.status ?? answer.fault)).not.toBe(0);
  });
});

/** A message of this many bytes that is a good request: one unknown field of zeros. */
function message(bytes: number): Buffer {
  const prefix = Buffer.from([0xfa, 0x3f, ...varint(bytes - 5)]);
  return Buffer.concat([prefix, Buffer.alloc(bytes - prefix.length)]);
}

describe("a message above the limit", () => {
  const tooLarge = message(limit + 1_000);

  it("is a bare RESOURCE_EXHAUSTED over gRPC", async () => {
    const answer = await http2Request(server.address, ordinary("application/grpc"), enveloped(tooLarge));
    expect(answer).toMatchObject({ status: 200, grpcStatus: resourceExhausted });
  });

  it("is refused by its prefix, before it has come, over gRPC", async () => {
    const prefixOnly = enveloped(Buffer.alloc(0), 0, 0xffffffff);
    const answer = await http2Request(server.address, ordinary("application/grpc"), prefixOnly);
    expect(answer).toMatchObject({ status: 200, grpcStatus: resourceExhausted });
  });

  it.each([
    ["application/grpc", enveloped(gzipSync(Buffer.alloc(20_000_000)), 1), { "grpc-encoding": "gzip" }],
    ["application/grpc", enveloped(deflateSync(Buffer.alloc(20_000_000)), 1), { "grpc-encoding": "deflate" }],
    ["application/grpc-web+proto", enveloped(gzipSync(Buffer.alloc(20_000_000)), 1), { "grpc-encoding": "gzip" }],
    ["application/json", gzipSync(Buffer.alloc(20_000_000, " ")), { "content-encoding": "gzip" }],
    ["application/proto", gzipSync(Buffer.alloc(20_000_000)), { "content-encoding": "gzip" }],
    ["application/proto", brotliCompressSync(Buffer.alloc(20_000_000), fastBrotli), { "content-encoding": "br" }],
  ])("is refused when only its decompressed form is: %s", async (type, bomb, encoding) => {
    expect(bomb.length).toBeLessThan(limit);
    const answer = await http2Request(server.address, { ...ordinary(type), ...encoding }, bomb);
    expectExhausted(type, answer, await webStatus(type, { ...encoding }, bomb));
  });

  it.each([
    ["application/grpc-web+proto", enveloped(tooLarge)],
    ["application/proto", tooLarge],
    ["application/json", Buffer.from(`{"labels":{"x":"${"a".repeat(limit + 1_000)}"}}`)],
  ])("is refused over %s, over HTTP/2 and HTTP/1.1", async (type, body) => {
    const answer = await http2Request(server.address, ordinary(type), body);
    expectExhausted(type, answer, await webStatus(type, {}, body));
    const raw = await rawExchange(server.address, rawRequest({ path: resolvePath, headers: http1(type), body }));
    if (type === "application/grpc-web+proto") expect(raw.text).toContain(`grpc-status: ${resourceExhausted}`);
    else expect(raw).toMatchObject({ status: 429 });
  });
});

describe("bytes that are no message", () => {
  const good = Buffer.from(toBinary(ResolveRequestSchema, create(ResolveRequestSchema)));

  it.each([
    ["nothing", Buffer.alloc(0), [internal, unimplemented]],
    ["three bytes of the prefix", Buffer.alloc(3), [internal, unimplemented, resourceExhausted]],
    ["less than the prefix says", enveloped(good, 0, 100), [internal, unimplemented, resourceExhausted]],
    ["two messages", Buffer.concat([enveloped(good), enveloped(good)]), [internal, unimplemented]],
    ["a message and half a prefix", Buffer.concat([enveloped(good), Buffer.alloc(2)]), [internal, unimplemented, 0]],
    ["a flag that says nothing", enveloped(good, 0x80), [internal, unimplemented, 0]],
    ["a compressed flag without an encoding", enveloped(good, 1), [internal, unimplemented, 0]],
    ["no protobuf", enveloped(Buffer.from([0xff, 0xff, 0xff])), [internal]],
    ["a length that overflows", enveloped(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])), [internal]],
    ["invalid UTF-8 in a string", enveloped(Buffer.from([0x4a, 2, 0xc3, 0x28])), [internal, invalidArgument]],
    ["groups without end", enveloped(Buffer.alloc(10_000, 0x0b)), [internal]],
  ])("are a status over gRPC: %s", async (_name, body, codes) => {
    const answer = await http2Request(server.address, ordinary("application/grpc"), body, 1_500);
    expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200 });
    expect(answer.grpcStatus).toBeOneOf(codes);
  });

  it.each([
    ["garbage for gzip", enveloped(Buffer.from("nonsense"), 1), "gzip", [internal]],
    ["gzip that is cut", enveloped(gzipSync(Buffer.alloc(1_000)).subarray(0, 15), 1), "gzip", [internal]],
    ["an encoding that nobody knows", enveloped(Buffer.from("x"), 1), "zstd", [unimplemented]],
  ])("are a status over gRPC: %s", async (_name, body, encoding, codes) => {
    const headers = { ...ordinary("application/grpc"), "grpc-encoding": encoding };
    expect((await http2Request(server.address, headers, body)).grpcStatus).toBeOneOf(codes);
  });

  it.each([
    ["", [400]],
    ["{", [400]],
    ["[]", [400]],
    ["null", [400]],
    ['"text"', [400]],
    ['{"registry":7}', [400]],
    ['{"registryDigest":"%%%"}', [400]],
    ["\u0000", [400]],
    ['{"forcedTool":"\\ud800"}', [200, 400]],
    ['{"unknown":1}', [200, 400]],
    [`${'{"x":'.repeat(20_000)}1${"}".repeat(15)}`, [400, 429]],
    [`${"[".repeat(90_000)}`, [400]],
    ['{"__proto__":{"forcedTool":"x"},"constructor":1}', [200, 400]],
  ])("are a 4xx over Connect JSON: %.40s", async (text, expected) => {
    const answer = await http2Request(server.address, ordinary("application/json"), Buffer.from(text));
    expect(answer.status).toBeOneOf(expected);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["three bytes of the prefix", Buffer.alloc(3)],
    ["less than the prefix says", enveloped(good, 0, 100)],
    ["no protobuf", enveloped(Buffer.from([0xff, 0xff, 0xff]))],
    ["a compressed flag without an encoding", enveloped(good, 1)],
  ])("are a status over gRPC-Web: %s", async (_name, body) => {
    const raw = await rawExchange(
      server.address,
      rawRequest({ path: resolvePath, headers: http1("application/grpc-web+proto"), body }),
    );
    expect(raw).toMatchObject({ status: 200 });
    expect(raw.text).toMatch(/grpc-status: [1-9]/);
  });
});

function expectExhausted(
  type: string,
  answer: { readonly status: unknown; readonly grpcStatus: unknown },
  web: string,
) {
  if (type === "application/grpc") expect(answer).toMatchObject({ status: 200, grpcStatus: resourceExhausted });
  else if (type === "application/grpc-web+proto") expect(web).toContain(`grpc-status: ${resourceExhausted}`);
  else expect(answer).toMatchObject({ status: 429 });
}

/** gRPC-Web has its status in the body, which HTTP/1.1 shows as text. */
async function webStatus(type: string, extra: Record<string, string>, body: Buffer): Promise<string> {
  if (type !== "application/grpc-web+proto") return "";
  const headers = [...http1(type), ...Object.entries(extra)];
  return (await rawExchange(server.address, rawRequest({ path: resolvePath, headers, body }))).text;
}

function http1(type: string): readonly (readonly [string, string])[] {
  return [
    ["host", "localhost"],
    ["content-type", type],
  ];
}

function ordinary(type: string): Record<string, string> {
  return { ":method": "POST", ":path": resolvePath, "content-type": type };
}

function callOf(type: string): RawHeaders {
  return [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", resolvePath],
    [":authority", "localhost"],
    ["content-type", type],
  ];
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
