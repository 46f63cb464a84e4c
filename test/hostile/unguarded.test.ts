import { describe, expect, it } from "vitest";
import { malformedAuthorities } from "./authorities.ts";
import { startChild } from "./child.ts";
import { rawExchange, rawRequest } from "./raw-http1.ts";
import { http2Request, rawStream } from "./raw-http2.ts";
import { protocols, resolvePath } from "./requests.ts";

const [, , json] = protocols;
const body = json?.body ?? Buffer.alloc(0);
const open = malformedAuthorities.find(([name]) => name === "an open bracket")?.[1] ?? "";

/** Shows that guard.test.ts tests something: without the guard one of its values is the end of the process. */
describe("without the guard", () => {
  it("one malformed Host over HTTP/1.1 ends the process", async () => {
    const child = await startChild("unguarded-server.ts");
    const { http1 } = JSON.parse(child.firstLine);
    const headers = (host: string | Buffer) =>
      [
        ["host", host],
        ["content-type", "application/json"],
      ] as const;
    const good = await rawExchange(http1, rawRequest({ path: resolvePath, headers: headers("localhost"), body }));
    expect(good.status).toBe(200);
    const bad = await rawExchange(http1, rawRequest({ path: resolvePath, headers: headers(open), body }));
    expect(bad).toMatchObject({ status: undefined, closed: true });
    expect(await child.ended).toBe(1);
    expect(child.output()).toContain("ERR_INVALID_URL");
  });

  it("one malformed :authority over HTTP/2 ends the process", async () => {
    const child = await startChild("unguarded-server.ts");
    const { http2 } = JSON.parse(child.firstLine);
    const ordinary = { ":method": "POST", ":path": resolvePath, "content-type": "application/json" };
    expect(await http2Request(http2, ordinary, body)).toMatchObject({ status: 200 });
    const list = [
      [":method", "POST"],
      [":scheme", "http"],
      [":path", resolvePath],
      [":authority", open],
      ["content-type", "application/json"],
    ] as const;
    expect((await rawStream(http2, list, body)).status).toBeUndefined();
    expect(await child.ended).toBe(1);
    expect(child.output()).toContain("ERR_INVALID_URL");
  });

  it("a page in a browser could call by GET", async () => {
    const child = await startChild("unguarded-server.ts");
    const { http1 } = JSON.parse(child.firstLine);
    const path = `${resolvePath}?connect=v1&encoding=json&message=%7B%7D`;
    const headers = [
      ["host", "evil.example"],
      ["origin", "https://evil.example"],
    ] as const;
    const answer = await rawExchange(http1, rawRequest({ method: "GET", path, headers }));
    expect(answer.status).toBe(200);
    await child.end();
  });
});
