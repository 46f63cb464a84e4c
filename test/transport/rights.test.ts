import { createHash } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromBinary, type JsonObject } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { RefusalSchema } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import { grpcCaller, methodOf, wireCallers } from "./callers.ts";
import { TestSidecar, temporaryFolder } from "./sidecars.ts";

const service = "fermata.conversation.v1.ConversationService";
const by = { actor: "op", reason: "r" };

/** Every operator's call, with a request that an operator is answered. */
const operatorsCalls: readonly [name: string, request: JsonObject][] = [
  ["Freeze", { freezeId: "f", scope: { tenantId: "nobody" }, ...by }],
  ["ListFreezes", {}],
  ["Thaw", { freezeId: "f", ...by }],
  ["Discard", { checkpointId: "unknown", ...by }],
  ["Erase", { tenantId: "nobody", ...by }],
  ["Attribute", { threadKey: "unknown", tenantId: "acme", ...by }],
];

const digest = (token: string) => createHash("sha256").update(token).digest("hex");
const [operatorToken, hostToken] = ["an-operator-token", "a-host-token-of-acme"];

describe("operator's calls", () => {
  const folder = temporaryFolder();
  const socket = `unix:${join(folder.path, "operator.sock")}`;
  const secret = join(folder.path, "token");
  writeFileSync(secret, `${operatorToken}\n`);
  const tokens = [
    { name: "operators", file: secret, operator: true },
    { name: "hosts", sha256: digest(hostToken) },
  ];
  const sidecar = new TestSidecar({ operatorListen: socket, tokens });

  beforeAll(() => sidecar.start());
  afterAll(async () => {
    await sidecar.end();
    folder.remove();
  });

  it.each(operatorsCalls)(
    "%s is refused to a host over every protocol, whatever else is wrong with it",
    async (name, request) => {
      for (const caller of wireCallers(sidecar.address)) {
        for (const asked of [request, {}]) {
          const answer = await caller.call(methodOf(`${service}/${name}`), asked);
          expect(answer, caller.name).toMatchObject({ kind: "refused", code: 7 });
          expect(answer.kind === "refused" && leafOf(answer.status)).toMatchObject({
            case: "callerDenied",
            value: { needed: "operator" },
          });
        }
        caller.close();
      }
    },
  );

  it.each(operatorsCalls)("%s is served by the operator listener and to an operator's token", async (name, request) => {
    const caller = grpcCaller(socket);
    const answer = await caller.call(methodOf(`${service}/${name}`), request);
    expect(answer.kind === "ok" ? 0 : answer.code).not.toBe(7);
    caller.close();
    expect(await withToken(sidecar.address, operatorToken)).toBe(0);
  });

  it.each([
    { token: hostToken, code: 7 },
    { token: "nobody-gave-this-out", code: 16 },
    { token: undefined, code: 7 },
  ])("answers $code to the token $token", async ({ token, code }) => {
    expect(await withToken(sidecar.address, token)).toBe(code);
  });

  it("leaves the operator's socket to its owner alone", () => {
    expect(statSync(socket.slice("unix:".length)).mode & 0o777).toBe(0o600);
  });

  it("serves everything else on both", async () => {
    for (const address of [socket, sidecar.address]) {
      const caller = grpcCaller(address);
      const request = { identity: { tenantId: "acme", sessionId: "s" } };
      expect(await caller.call(methodOf(`${service}/DeriveThreadKey`), request)).toMatchObject({ kind: "ok" });
      expect(await caller.call(methodOf(`${service}/GetDrain`), { freezeId: "none" })).toMatchObject({ code: 5 });
      caller.close();
    }
  });
});

describe("operator's calls on a workstation", () => {
  const sidecar = new TestSidecar({ tokens: [{ name: "hosts", sha256: digest(hostToken) }] });
  beforeAll(() => sidecar.start());
  afterAll(() => sidecar.end());

  it.each(operatorsCalls)("%s is served by the data listener", async (name, request) => {
    const caller = grpcCaller(sidecar.address);
    const answer = await caller.call(methodOf(`${service}/${name}`), request);
    expect(answer.kind === "ok" ? 0 : answer.code).not.toBe(7);
    caller.close();
  });
});

describe("tokens in a config", () => {
  it.each([
    [{ name: "a" }],
    [{ name: "a", env: "UNSET_OF_ALL" }],
    [{ name: "a", env: "SHORT" }],
    [{ name: "a", file: "/nowhere/token" }],
    [{ name: "a", sha256: "no digest" }],
    [{ name: "a", env: "GOOD", file: "/x" }],
  ])("are refused by name and without what was read: %j", (token) => {
    const loaded = readConfig({
      env: { HOME: "/home/a", SHORT: "short-secret", GOOD: "a-long-enough-secret" },
      flags: {},
      file: { name: "f", text: JSON.stringify({ tokens: [token] }) },
    });
    expect(loaded).toMatchObject({ kind: "faulty", faults: [{ path: expect.stringContaining("tokens[0]") }] });
    expect(JSON.stringify(loaded)).not.toContain("secret");
  });

  it("are kept by their digests", () => {
    const text = JSON.stringify({ tokens: [{ name: "a", env: "GOOD", operator: true }] });
    const loaded = readConfig({
      env: { HOME: "/home/a", GOOD: "a-long-enough-secret" },
      flags: {},
      file: { name: "f", text },
    });
    expect(loaded).toMatchObject({
      config: { tokens: [{ name: "a", operator: true, sha256: digest("a-long-enough-secret") }] },
    });
    expect(JSON.stringify(loaded)).not.toContain("enough");
  });
});

/** The gRPC code of a ListFreezes with this token. */
function withToken(address: string, token: string | undefined): Promise<number> {
  const client = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  const metadata = new Metadata();
  if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
  const path = `/${service}/ListFreezes`;
  return new Promise((resolve) => {
    const done = (fault: ServiceError | null): void => {
      client.close();
      resolve(fault?.code ?? 0);
    };
    client.makeUnaryRequest(
      path,
      () => Buffer.alloc(0),
      (bytes) => bytes,
      {},
      metadata,
      done,
    );
  });
}

function leafOf(bytes: Uint8Array) {
  const { details } = fromBinary(StatusSchema, bytes);
  return details.map((detail) => anyUnpack(detail, RefusalSchema)).find((found) => found !== undefined)?.leaf;
}
