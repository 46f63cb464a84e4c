import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestServer } from "../transport/servers.ts";
import { foreignAuthorities, malformedAuthorities } from "./authorities.ts";
import { startHostileServer, stillAnswers } from "./hostile-server.ts";
import { rawExchange, rawRequest } from "./raw-http1.ts";
import { http2Request, type RawHeaders, rawStream, type StreamAnswer } from "./raw-http2.ts";
import { protocols, resolvePath } from "./requests.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startHostileServer();
});

afterAll(async () => {
  expect(await stillAnswers(server.address)).toBe(true);
  await server.stop();
});

/** What HTTP/2 itself does with a malformed request (RFC 9113, 8.1.1), before any code of ours sees it. */
const resetByHttp2 = "Stream closed with error code NGHTTP2_PROTOCOL_ERROR";

function exchangeWithHost(host: string | Buffer, type: string, body: Buffer) {
  const headers = [
    ["host", host],
    ["content-type", type],
  ] as const;
  return rawExchange(server.address, rawRequest({ path: resolvePath, headers, body }));
}

describe.each(protocols)("a malformed authority, $type", ({ type, body }) => {
  it.each(malformedAuthorities)("is a clear answer over HTTP/1.1: %s", async (_name, value) => {
    const answer = await exchangeWithHost(value, type, body);
    expect(answer.status, answer.text).toBeOneOf([400, 421, 431]);
  });

  it.each(malformedAuthorities)("is a clear answer over HTTP/2: %s", async (_name, value) => {
    const answer = await rawStream(server.address, request(type, [":authority", value]), body);
    expectTurnedAway(answer);
  });

  it.each(malformedAuthorities)("is a clear answer over HTTP/2 as its host header alone: %s", async (_name, value) => {
    const answer = await rawStream(server.address, request(type, ["host", value]), body);
    expectTurnedAway(answer);
  });

  it.each(foreignAuthorities)("is 421 for another host, over both: %s", async (value) => {
    const answer = await exchangeWithHost(value, type, body);
    expect(answer.status, answer.text).toBe(421);
    expect(await rawStream(server.address, request(type, [":authority", value]), body)).toEqual(status(421));
  });
});

describe.each(protocols)("a good authority, $type", ({ type, body }) => {
  it.each(["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:50551", "[::1]", "[::1]:65535"])(
    "is served over HTTP/2: %s",
    async (value) => {
      const answer = await rawStream(server.address, request(type, [":authority", value]), body);
      expect(answer).toMatchObject({ status: 200, fault: undefined });
    },
  );

  it("is turned away beside another Host", async () => {
    const headers: RawHeaders = request(type, [":authority", "localhost"], ["host", "evil.example"]);
    expectTurnedAway(await rawStream(server.address, headers, body));
  });

  it("is turned away without any: neither :authority nor Host", async () => {
    expectTurnedAway(await rawStream(server.address, request(type), body));
    const bare = rawRequest({ path: resolvePath, headers: [["content-type", type]], body });
    expect((await rawExchange(server.address, bare)).status).toBe(400);
  });
});

describe.each(protocols)("a browser, $type", ({ type, body }) => {
  it.each([
    ["origin", "https://evil.example", 403],
    ["origin", "http://localhost:50551", 403],
    ["origin", "null", 403],
    ["origin", "", 403],
    ["sec-fetch-site", "cross-site", 403],
    ["sec-fetch-site", "same-site", 403],
    ["sec-fetch-site", "same-origin", 403],
    ["sec-fetch-site", "", 403],
    ["sec-fetch-site", "none, cross-site", 403],
    ["sec-fetch-site", "none", 200],
  ])("with %s: %s is answered %s", async (name, value, expected) => {
    const answer = await http2Request(server.address, { ...ordinary(type), [name]: value }, body);
    expect(answer.status).toBe(expected);
    if (type === "application/grpc") return;
    const headers = [
      ["host", "localhost"],
      ["content-type", type],
      [name, value],
    ] as const;
    const raw = await rawExchange(server.address, rawRequest({ path: resolvePath, headers, body }));
    expect(raw.status, raw.text).toBe(expected);
  });

  it.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "QUERY", "post"])(
    "cannot call by %s",
    async (method) => {
      const answer = await http2Request(server.address, { ...ordinary(type), ":method": method });
      expect(answer.status).toBe(405);
      const raw = await rawExchange(
        server.address,
        rawRequest({ method, path: resolvePath, headers: [["host", "localhost"]] }),
      );
      // A method that HTTP/1.1 does not know is refused by its parser.
      expect(raw.status, raw.text).toBe(method === "post" ? 400 : 405);
    },
  );

  it("cannot call by GET as Connect allows for reads", async () => {
    const path = `${resolvePath}?connect=v1&encoding=json&message=%7B%7D`;
    expect((await http2Request(server.address, { ...ordinary(type), ":method": "GET", ":path": path })).status).toBe(
      405,
    );
    const raw = await rawExchange(
      server.address,
      rawRequest({ method: "GET", path, headers: [["host", "localhost"]] }),
    );
    expect(raw.status).toBe(405);
  });
});

describe("a content type that is not served", () => {
  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/grpcx",
    "application/grpc-websocket",
    "application/xml",
    "application/connect+yaml",
    ";;;",
    "application/",
    "",
    "\u00ff",
    "a".repeat(4_000),
  ])("is 415 over HTTP/1.1 and HTTP/2: %s", async (type) => {
    const { body } = protocols[2] ?? { body: Buffer.alloc(0) };
    const headers = [
      ["host", "localhost"],
      ["content-type", Buffer.from(type, "latin1")],
    ] as const;
    const raw = await rawExchange(server.address, rawRequest({ path: resolvePath, headers, body }));
    expect(raw.status, raw.text).toBe(415);
    const list: RawHeaders = [
      ...request("").slice(0, 3),
      [":authority", "localhost"],
      ["content-type", Buffer.from(type, "latin1")],
    ];
    expect(await rawStream(server.address, list, body)).toEqual(status(415));
  });

  it("is 415 without one", async () => {
    const list: RawHeaders = [...request("").slice(0, 3), [":authority", "localhost"]];
    expect(await rawStream(server.address, list)).toEqual(status(415));
  });
});

const weirdPaths = [
  "/",
  "//",
  "//[",
  "//[::1/x",
  "///",
  "/a",
  "/a/",
  "/a/b/c",
  "/%00",
  "/%zz/%zz",
  "/..",
  "/../../etc/passwd",
  "*",
  "x",
  "?",
  "#",
  "http://localhost/x",
  "http://[/x",
  "http://evil.example/fermata.palette.v1.PaletteService/Resolve",
  "fermata.palette.v1.PaletteService/Resolve",
  "/fermata.palette.v1.PaletteService/Resolve/",
  "//fermata.palette.v1.PaletteService/Resolve",
  "/fermata.palette.v1.PaletteService\\Resolve",
  "/fermata.palette.v1.PaletteService/Re%73olve",
  "/constructor/prototype",
  "/__proto__/toString",
  `/${"a".repeat(3_000)}`,
  `/${"a/".repeat(3_000)}`,
  "/readyz",
  "/livez",
  "/metrics",
];

describe.each(protocols)("a path that names no RPC, $type", ({ type, body }) => {
  it.each(weirdPaths)("is a clear answer: %s", async (path) => {
    const headers = [
      ["host", "localhost"],
      ["content-type", type],
    ] as const;
    const raw = await rawExchange(server.address, rawRequest({ path, headers, body }));
    expect(raw.status, raw.text).toBeOneOf([400, 404]);
    const list: RawHeaders = [
      [":method", "POST"],
      [":scheme", "http"],
      [":path", path],
      [":authority", "localhost"],
      ["content-type", type],
    ];
    expectTurnedAway(await rawStream(server.address, list, body));
  });

  it.each(["", "x", "a b", "/\u00e9", "/\n"])("is a clear answer in an HTTP/2 frame: %j", async (path) => {
    const list: RawHeaders = [
      [":method", "POST"],
      [":scheme", "http"],
      [":path", Buffer.from(path, "latin1")],
      [":authority", "localhost"],
      ["content-type", type],
    ];
    expectTurnedAway(await rawStream(server.address, list, body));
  });
});

it("counts the headers of a call over HTTP/2 too", async () => {
  const headers = { ...ordinary("application/grpc"), "x-large": "a".repeat(17_000) };
  expect((await http2Request(server.address, headers)).status).toBe(431);
  expect((await http2Request(server.address, { ...headers, "content-type": "application/json" })).status).toBe(431);
  const raw = rawRequest({
    path: resolvePath,
    headers: [
      ["host", "localhost"],
      ["x-large", "a".repeat(17_000)],
    ],
  });
  expect((await rawExchange(server.address, raw)).status).toBe(431);
});

it("answers CONNECT and an upgrade without a tunnel", async () => {
  const upgrade = rawRequest({
    path: resolvePath,
    headers: [
      ["host", "localhost"],
      ["connection", "upgrade, http2-settings"],
      ["upgrade", "h2c"],
      ["http2-settings", ""],
    ],
  });
  expect((await rawExchange(server.address, upgrade)).status).toBe(415);
  const tunnel = await rawExchange(server.address, "CONNECT evil.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(tunnel.status === undefined ? tunnel.closed : tunnel.status >= 400).toBe(true);
  const stream = await rawStream(server.address, [
    [":method", "CONNECT"],
    [":authority", "localhost"],
  ]);
  expect(stream.status === undefined || stream.status >= 400).toBe(true);
});

/** Pseudo-headers come first, or HTTP/2 itself refuses the list. */
function request(type: string, ...authority: RawHeaders): RawHeaders {
  return [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", resolvePath],
    ...authority,
    ["content-type", type],
    ["te", "trailers"],
  ];
}

function ordinary(type: string): Record<string, string> {
  return { ":method": "POST", ":path": resolvePath, "content-type": type };
}

function status(code: number): StreamAnswer {
  return { status: code, grpcStatus: undefined, fault: undefined };
}

/** A 4xx, a status of gRPC other than OK, or the reset that HTTP/2 has for a malformed request. */
function expectTurnedAway({ status: code, grpcStatus, fault }: StreamAnswer): void {
  if (code === undefined) expect(fault).toBe(resetByHttp2);
  else if (code === 200) expect(grpcStatus).toBeGreaterThan(0);
  else expect(code).toBeOneOf([400, 404, 421, 431]);
}
