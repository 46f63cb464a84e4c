import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Refusal } from "../../src/domain/outcome.ts";
import { ruleFor } from "../../src/domain/refusal-rule.ts";
import {
  PaletteService,
  ResolveRequestSchema,
  ResolveResponseSchema,
} from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { pathOf, unary } from "../../src/transport/route.ts";
import { goldenRefusals } from "../golden/golden-status.ts";
import { startServer, type TestServer } from "./servers.ts";

const { resolve } = PaletteService.method;
const retried = ["UNAVAILABLE", "ABORTED", "RESOURCE_EXHAUSTED"];
const maxAttempts = 4;

/** What an operator would configure: the codes that are called transient, whatever the service. */
const serviceConfig = {
  loadBalancingConfig: [{ pick_first: {} }],
  methodConfig: [
    {
      name: [{}],
      retryPolicy: {
        maxAttempts,
        initialBackoff: "0.005s",
        maxBackoff: "0.01s",
        backoffMultiplier: 1,
        retryableStatusCodes: retried,
      },
    },
  ],
};

const refusals = goldenRefusals();
const cases = [...refusals].map(([name, refusal]) => ({ name, refusal, code: ruleFor(refusal.leaf).code }));
const arrivals = new Map<string, number>();
let server: TestServer;
let client: Client;

beforeAll(async () => {
  const counted = unary(
    resolve,
    ({ forcedTool = "" }) => {
      arrivals.set(forcedTool, (arrivals.get(forcedTool) ?? 0) + 1);
      return refusals.get(forcedTool) as Refusal; // the test asks for these only
    },
    "turn",
  );
  server = await startServer({ routes: [counted] });
  client = new Client(server.address, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
    "grpc.service_config": JSON.stringify(serviceConfig),
    "grpc.service_config_disable_resolution": 1,
  });
});

afterAll(async () => {
  client.close();
  await server.stop();
});

describe("a client that retries UNAVAILABLE, ABORTED and RESOURCE_EXHAUSTED", () => {
  it.each(cases.filter(({ code }) => !retried.includes(status[code] ?? "")))(
    "sends the call once for $name",
    async ({ name, code }) => {
      expect(await codeOf(name)).toBe(code);
      expect(arrivals.get(name)).toBe(1);
    },
  );

  it.concurrent.each(
    cases.filter(({ code, refusal }) => retried.includes(status[code] ?? "") && refusal.leaf.case !== "overloaded"),
  )("sends the call again for $name", async ({ name, code }) => {
    expect(await codeOf(name)).toBe(code);
    expect(arrivals.get(name)).toBe(maxAttempts);
  });

  it("waits as long as OVERLOADED says before it sends the call again", async () => {
    const started = Date.now();
    expect(await codeOf("OVERLOADED plain")).toBe(status.RESOURCE_EXHAUSTED);
    expect(arrivals.get("OVERLOADED plain")).toBe(maxAttempts);
    expect(Date.now() - started).toBeGreaterThanOrEqual((maxAttempts - 1) * 500 - 20);
  });
});

function codeOf(forcedTool: string): Promise<number> {
  return new Promise((done) => {
    client.makeUnaryRequest(
      pathOf(resolve),
      (request) => Buffer.from(toBinary(ResolveRequestSchema, request)),
      (bytes) => fromBinary(ResolveResponseSchema, bytes),
      create(ResolveRequestSchema, { forcedTool }),
      new Metadata(),
      { deadline: Date.now() + 20_000 },
      (fault) => done(fault?.code ?? 0),
    );
  });
}
