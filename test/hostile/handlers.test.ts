import { create, fromBinary, toJsonString } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ok } from "../../src/domain/outcome.ts";
import {
  ConversationService,
  type ReplayResponse,
  ReplayResponseSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import {
  PaletteService,
  type ResolveResponse,
  ResolveResponseSchema,
} from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { RefusalSchema } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import type { ServerStream, Unary } from "../../src/rpc/rpc.ts";
import { stream, unary } from "../../src/transport/route.ts";
import { readStatus } from "../golden/golden-status.ts";
import { type Answer, type WireCaller, wireCallers } from "../transport/callers.ts";
import { startServer, type TestServer } from "../transport/servers.ts";

const canary: string = "CANARY-conversation-content";
const nothing = undefined as never;
const answer = create(ResolveResponseSchema);

/** Everything that a handler can do wrong, by the name that the request forces. */
const unaryBugs: Readonly<Record<string, Unary<unknown, ResolveResponse>>> = {
  "throws an Error": () => {
    throw new Error(canary);
  },
  "throws a string": () => {
    throw canary;
  },
  "throws nothing": () => {
    throw undefined;
  },
  "throws null": () => {
    throw null;
  },
  "throws what cannot be read": () => {
    throw new Proxy(new Error(canary), {
      get: () => {
        throw new Error(canary);
      },
    });
  },
  "throws an Error whose code is content": () => {
    throw Object.assign(new Error(canary), { code: canary, name: canary });
  },
  "throws what looks like a status": () => {
    throw { code: 5, details: canary, message: canary, metadata: {} };
  },
  rejects: () => Promise.reject(new Error(canary)),
  "rejects with nothing": () => Promise.reject(),
  "rejects later": async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error(canary);
  },
  "returns undefined": () => nothing,
  "returns null": () => null as never,
  "returns a string": () => canary as never,
  "returns a number": () => 7 as never,
  "returns a function": () => (() => canary) as never,
  "returns the bare message": () => answer as never,
  "returns an outcome of no kind": () => ({ kind: "perhaps", value: answer }) as never,
  "returns ok without a value": () => ({ kind: "ok" }) as never,
  "returns ok of undefined": () => ok(nothing),
  "returns ok of null": () => ok(null as never),
  "returns a refusal without a leaf": () => ({ kind: "refusal" }) as never,
  "returns a refusal of no leaf": () => ({ kind: "refusal", leaf: { case: "noSuchLeaf", value: {} } }) as never,
  "returns a refusal whose leaf is undefined": () => ({ kind: "refusal", leaf: undefined }) as never,
  "promises undefined": async () => nothing,
  "promises null": async () => null as never,
  "promises ok without a value": async () => ({ kind: "ok" }) as never,
};

/** Answers that only their serializer refuses. */
const unwritable: Readonly<Record<string, Unary<unknown, ResolveResponse>>> = {
  "a field of another type": () => ok({ ...answer, palette: canary } as never),
  "a number out of range": () => ok({ ...answer, routing: { case: "routed", value: canary } } as never),
};

const streamBugs: Readonly<Record<string, ServerStream<unknown, ReplayResponse>>> = {
  "throws at once": () => {
    throw new Error(canary);
  },
  rejects: async () => {
    throw new Error(canary);
  },
  "returns undefined": () => nothing,
  "promises undefined": async () => nothing,
  "promises ok without a value": async () => ({ kind: "ok" }) as never,
  "promises ok of what cannot be iterated": async () => ok(7 as never),
  "promises ok of an empty object": async () => ok({} as never),
  "throws before its first message": async () =>
    ok(
      (async function* () {
        if (canary !== "") throw new Error(canary);
        yield create(ReplayResponseSchema);
      })(),
    ),
};

const afterFirst: ServerStream<unknown, ReplayResponse> = async () =>
  ok(
    (async function* () {
      yield create(ReplayResponseSchema);
      throw new Error(canary);
    })(),
  );

const unwritableAfterFirst: ServerStream<unknown, ReplayResponse> = async () =>
  ok(
    (async function* () {
      yield create(ReplayResponseSchema);
      yield { ...create(ReplayResponseSchema), part: { case: "header", value: canary } } as never;
    })(),
  );

let server: TestServer;
let callers: readonly WireCaller[];

beforeAll(async () => {
  server = await startServer({
    routes: [
      unary(PaletteService.method.resolve, (request, call) =>
        request.forcedTool === undefined
          ? ok(answer)
          : bug({ ...unaryBugs, ...unwritable }, request.forcedTool)(request, call),
      ),
      stream(ConversationService.method.replay, (request, call) =>
        bug({ ...streamBugs, after: afterFirst, unwritable: unwritableAfterFirst }, request.checkpointId ?? "")(
          request,
          call,
        ),
      ),
    ],
  });
  callers = wireCallers(server.address);
});

afterAll(async () => {
  for (const caller of callers) {
    expect(await caller.call(PaletteService.method.resolve, {})).toMatchObject({ kind: "ok" });
    caller.close();
  }
  await server.stop();
});

describe("a unary handler that", () => {
  it.each(Object.keys(unaryBugs))("%s answers INTERNAL with a request id", async (forcedTool) => {
    for (const caller of callers) {
      expectInternal(await caller.call(PaletteService.method.resolve, { forcedTool }), caller.name, 0);
    }
  });
});

describe("a streaming handler that", () => {
  it.each(Object.keys(streamBugs))("%s answers INTERNAL with a request id", async (checkpointId) => {
    for (const caller of callers) {
      expectInternal(await caller.call(ConversationService.method.replay, { checkpointId }), caller.name, 0);
    }
  });

  it("throws after its first message answers that message and then INTERNAL", async () => {
    for (const caller of callers) {
      expectInternal(await caller.call(ConversationService.method.replay, { checkpointId: "after" }), caller.name, 1);
    }
  });
});

describe("an answer that cannot be written", () => {
  it.each(Object.keys(unwritable))(
    "is INTERNAL with a request id, and without a word of it: %s",
    async (forcedTool) => {
      for (const caller of callers) {
        expectInternal(await caller.call(PaletteService.method.resolve, { forcedTool }), caller.name, 0);
      }
    },
  );

  it("ends its stream so after the messages before it", async () => {
    for (const caller of callers) {
      const found = await caller.call(ConversationService.method.replay, { checkpointId: "unwritable" });
      expectInternal(found, caller.name, 1);
    }
  });
});

function bug<T>(bugs: Readonly<Record<string, T>>, name: string): T {
  const found = bugs[name];
  if (found === undefined) throw new Error(`no bug ${name}`);
  return found;
}

function expectInternal(found: Answer, protocol: string, before: number): void {
  expect(found, protocol).toMatchObject({ kind: "refused", code: 13, before });
  if (found.kind !== "refused") return;
  const { facts, remedy } = readStatus(found.status);
  expect(facts, protocol).toMatchObject({ internal: { requestId: expect.stringMatching(/^[0-9a-f-]{16,36}$/) } });
  expect(remedy).toBe("REPORT");
  const status = fromBinary(StatusSchema, found.status);
  const refusal = status.details.map((any) => anyUnpack(any, RefusalSchema)).find((message) => message !== undefined);
  const told = `${found.text}${toJsonString(StatusSchema, { ...status, details: [] })}${JSON.stringify(facts)}`;
  expect(told + String(refusal?.leaf.case)).not.toContain("CANARY");
  expect(Buffer.from(found.status).includes("CANARY")).toBe(false);
}
