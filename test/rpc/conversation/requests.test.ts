import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Leaf, Outcome } from "../../../src/domain/outcome.ts";
import type { DocumentSchema } from "../../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  AdoptRequestSchema,
  GetCheckpointRequestSchema,
  IssueRequestSchema,
  JudgeRequestSchema,
  ListCheckpointsRequestSchema,
  ResumeRequestSchema,
} from "../../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { call, openDesk } from "./desk.ts";

/** What a message is made from, and not a message that was made already. */
type Init<D extends DescMessage> = Exclude<MessageInitShape<D>, { $typeName: string }>;
type Document = Init<typeof DocumentSchema>;

const document: Document = {
  format: "openai-chat/1",
  content: { case: "text", value: '[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]' },
};
const identity = (sessionId: string, tenantId = "acme") =>
  ({ case: "identity", value: { tenantId, sessionId } }) as const;
const threadKey = (value: string) => ({ case: "threadKey", value }) as const;
const long = "x".repeat(129);

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => {
  desk = await openDesk({
    maxDocumentBytes: 32 * 1024 * 1024,
    window: { formats: { "opaque/1": { boundaryProofs: ["opaque/end/1"] } } },
  });
});
afterAll(() => desk.drop());

const issueOf = (request: Init<typeof IssueRequestSchema>) =>
  desk.issue(create(IssueRequestSchema, { document, ...request }), call);
const adoptOf = (request: Init<typeof AdoptRequestSchema>) =>
  desk.adopt(create(AdoptRequestSchema, { document, ...request }), call);
const resumeOf = (request: Init<typeof ResumeRequestSchema>) => desk.resume(create(ResumeRequestSchema, request), call);

function refusal(
  outcome: Outcome<unknown>,
): Pick<Leaf, "case" | "value"> | { readonly case: "ok"; readonly value: object } {
  return outcome.kind === "refusal" ? outcome.leaf : { case: "ok", value: {} };
}

function rulesOf(outcome: Outcome<unknown>): readonly string[] {
  if (outcome.kind === "ok") return ["ok"];
  const { leaf } = outcome;
  if (leaf.case !== "invalidRequest") return [leaf.case];
  return leaf.value.violations.map(({ field, rule }) => `${field} ${rule}`);
}

describe("a request that is wrong as a message", () => {
  const key = identity("wrong");
  it.each<[readonly string[], Init<typeof IssueRequestSchema>]>([
    [["key REQUIRED"], {}],
    [["thread_key REQUIRED"], { key: threadKey("") }],
    [["thread_key TOO_LONG"], { key: threadKey("x".repeat(2049)) }],
    [["document.content REQUIRED"], { key, document: { format: "openai-chat/1" } }],
    [["document.format REQUIRED"], { key, document: { ...document, format: "" } }],
    [["document.format TOO_LONG"], { key, document: { ...document, format: long } }],
    [
      ["document.text NOT_WELL_FORMED"],
      { key, document: { ...document, content: { case: "text", value: '"\ud800"' } } },
    ],
    [["expected_head EMPTY"], { key, expectedHead: "" }],
    [["expected_head TOO_LONG"], { key, expectedHead: long }],
    [["idempotency_key TOO_LONG"], { key, idempotencyKey: long }],
    [["idempotency_key FORBIDDEN_CHARACTER"], { key, idempotencyKey: "a\u0000b" }],
    [["host.runtime TOO_LONG", "host.model NOT_WELL_FORMED"], { key, host: { runtime: long, model: "\udfff" } }],
    [["boundary_proof EMPTY"], { key, boundaryProof: "" }],
  ])("is refused with %j", async (rules, request) => {
    expect(rulesOf(await issueOf(request))).toEqual(rules);
    expect(refusal(await resumeOf({ thread: { by: key } })).case).toBe("threadNotFound");
  });

  it("is refused without a document", async () => {
    expect(rulesOf(await desk.issue(create(IssueRequestSchema, { key }), call))).toEqual(["document REQUIRED"]);
    expect(rulesOf(await desk.judge(create(JudgeRequestSchema, {}), call))).toEqual(["document REQUIRED"]);
  });

  it("is refused for a document above the limit, with both sizes", async () => {
    const small = await openDesk({ maxDocumentBytes: 10 });
    const of = (content: NonNullable<Document["content"]>) =>
      create(JudgeRequestSchema, { document: { format: "openai-chat/1", content } });
    const tooLarge = await small.judge(of({ case: "text", value: '["é","é"]' }), call);
    expect(refusal(tooLarge)).toMatchObject({
      value: {
        violations: [
          { field: "document", rule: "DOCUMENT_TOO_LARGE", description: expect.stringMatching(/11 bytes.*10/) },
        ],
      },
    });
    expect(rulesOf(await small.judge(of({ case: "binary", value: new Uint8Array(11) }), call))).toEqual([
      "document DOCUMENT_TOO_LARGE",
    ]);
    expect(rulesOf(await small.judge(of({ case: "text", value: '["é","e"]' }), call))).toEqual(["checkpointFormat"]);
    await small.drop();
  });

  it.each<[readonly string[], Init<typeof ResumeRequestSchema>]>([
    [["thread REQUIRED"], {}],
    [["thread REQUIRED"], { thread: {} }],
    [["thread.thread_key REQUIRED"], { thread: { by: threadKey("") } }],
    [["checkpoint_id EMPTY"], { thread: { by: identity("s") }, checkpointId: "" }],
  ])("of a read is refused with %j", async (rules, request) => {
    expect(rulesOf(await resumeOf(request))).toEqual(rules);
    expect(rulesOf(await desk.getCheckpoint(create(GetCheckpointRequestSchema, request), call))).toEqual(rules);
  });

  it("of an adoption by key names the derivation that made the key", async () => {
    const key = threadKey("corp:_:s9");
    expect(rulesOf(await adoptOf({ key }))).toEqual(["derivation REQUIRED"]);
    expect(rulesOf(await adoptOf({ key, derivation: "tk1" }))).toEqual(["derivation UNKNOWN"]);
  });
});

describe("what was sent", () => {
  it.each([
    ["a byte order mark", "\ufeffplain"],
    ["nothing", ""],
    ["NUL and other controls", "a\u0000b\u0001\u007f\r\n\t"],
    ["every plane", "é€😀\u{10ffff}\ufffe\uffff"],
    ["what looks like an escape", "\\ud800 &amp; %00"],
    ["256 KiB and one byte, which another thread reads", "ж".repeat(131_073)],
  ])("comes back as it was: %s", async (name, value) => {
    const key = identity(name);
    const content = { case: "text", value } as const;
    expect(
      (await issueOf({ key, document: { format: "opaque/1", content }, boundaryProof: "opaque/end/1" })).kind,
    ).toBe("ok");
    const resumed = await resumeOf({ thread: { by: key } });
    expect(resumed).toMatchObject({ kind: "ok", value: { document: { format: "opaque/1", content } } });
  });

  it("comes back as bytes of 32 MiB, and as a text of them", async () => {
    const bytes = new Uint8Array(32 * 1024 * 1024).map((_, at) => (at * 2654435761) >>> 24);
    const value = Buffer.from(bytes.subarray(0, 24 * 1024 * 1024)).toString("base64");
    expect(value.length).toBe(32 * 1024 * 1024);
    for (const content of [
      { case: "binary", value: bytes },
      { case: "text", value },
    ] as const) {
      const key = identity(`32 MiB of ${content.case}`);
      expect(
        (await issueOf({ key, document: { format: "opaque/1", content }, boundaryProof: "opaque/end/1" })).kind,
      ).toBe("ok");
      const resumed = await resumeOf({ thread: { by: key } });
      const found = resumed.kind === "ok" ? resumed.value.document?.content : undefined;
      expect(found?.case).toBe(content.case);
      expect(Buffer.compare(Buffer.from(found?.value ?? ""), Buffer.from(content.value))).toBe(0);
    }
  });

  it("is said by what Issue, GetCheckpoint and ListCheckpoints show of it", async () => {
    const key = identity("facts");
    const host = { runtime: "r", version: "1", model: "m" };
    const first = await issueOf({ key, host });
    const firstId = first.kind === "ok" ? first.value.checkpoint?.ref?.checkpointId : undefined;
    const second = await issueOf({ key, expectedHead: firstId ?? "", idempotencyKey: "again" });
    const thread = { by: key };
    const got = await desk.getCheckpoint(
      create(GetCheckpointRequestSchema, { thread, ...(firstId && { checkpointId: firstId }) }),
      call,
    );
    expect(got).toMatchObject({
      kind: "ok",
      value: { checkpoint: { host, ref: { checkpointId: firstId, sequence: 1n } } },
    });
    const list = async (pageToken: string) =>
      await desk.listCheckpoints(
        create(ListCheckpointsRequestSchema, { of: { case: "thread", value: thread }, pageSize: 1, pageToken }),
        call,
      );
    const page = await list("");
    if (page.kind !== "ok" || first.kind !== "ok" || second.kind !== "ok") throw new Error("all must answer");
    expect(page.value.checkpoints).toEqual([first.value.checkpoint]);
    const next = await list(page.value.nextPageToken);
    expect(next).toMatchObject({ value: { checkpoints: [second.value.checkpoint], nextPageToken: "" } });
    expect(rulesOf(await list("not a token"))).toEqual(["page_token UNKNOWN"]);
    expect(rulesOf(await list(Buffer.from("1:07").toString("base64url")))).toEqual(["page_token UNKNOWN"]);
  });
});

describe("a claim", () => {
  it("is compared by every read, and names nobody in its refusal", async () => {
    const by = threadKey("acme:_:claimed");
    await issueOf({ key: identity("claimed") });
    const reads = (claimedTenantId: string) => {
      const thread = { by, claimedTenantId };
      return [
        resumeOf({ thread }),
        desk.getCheckpoint(create(GetCheckpointRequestSchema, { thread }), call),
        desk.listCheckpoints(create(ListCheckpointsRequestSchema, { of: { case: "thread", value: thread } }), call),
      ];
    };
    for (const outcome of await Promise.all(reads("acme"))) expect(outcome.kind).toBe("ok");
    for (const outcome of await Promise.all(reads("umbrella"))) {
      expect(refusal(outcome)).toMatchObject({ case: "sessionIdentity", value: { cause: 6 } });
      expect(JSON.stringify(refusal(outcome).value)).not.toContain("acme");
    }
    for (const outcome of await Promise.all(reads(""))) {
      expect(refusal(outcome)).toMatchObject({
        case: "sessionIdentity",
        value: { cause: 1, field: "claimed_tenant_id" },
      });
    }
    // A claim is no key: it may carry the separator.
    for (const outcome of await Promise.all(reads("a:b")))
      expect(refusal(outcome)).toMatchObject({ value: { cause: 6 } });
  });
});

describe("an adopted row", () => {
  const derivation = "symfonic/9";
  const writtenTime = timestampFromMs(1_600_000_000_000);

  it("whose key is whole is found by its identity, and keeps its key", async () => {
    const adopted = await adoptOf({ key: threadKey("whole:eu:s1"), derivation, writtenTime });
    expect(adopted).toMatchObject({
      value: { checkpoint: { origin: 3, ref: { tenantId: "whole", quarantined: false } } },
    });
    const by = { case: "identity", value: { tenantId: "whole", subTenantId: "eu", sessionId: "s1" } } as const;
    expect(await resumeOf({ thread: { by } })).toMatchObject({
      value: { checkpoint: { ref: { threadKey: "whole:eu:s1" } } },
    });
  });

  it("whose key is quarantined names no tenant, is resumed and issued onto by its exact key, and forks nothing", async () => {
    const key = threadKey("corp:_:2024:05:01");
    const adopted = await adoptOf({ key, derivation, writtenTime });
    expect(adopted).toMatchObject({ value: { checkpoint: { ref: { quarantined: true } } } });
    expect(adopted.kind === "ok" && adopted.value.checkpoint?.ref?.tenantId).toBeUndefined();
    const ofCorp = identity("2024:05:01", "corp");
    const beside = {
      case: "ambiguousThreadKey",
      value: { direction: 2, separatorsFound: 4, separatorsExpected: 2, resumable: true },
    };
    expect(refusal(await resumeOf({ thread: { by: ofCorp } }))).toMatchObject(beside);
    expect(refusal(await issueOf({ key: ofCorp }))).toMatchObject(beside);
    expect(refusal(await adoptOf({ key: ofCorp }))).toMatchObject(beside);
    expect(refusal(await resumeOf({ thread: { by: key, claimedTenantId: "corp" } }))).toMatchObject(beside);
    const tenant = await desk.listCheckpoints(
      create(ListCheckpointsRequestSchema, { of: { case: "tenantId", value: "corp" } }),
      call,
    );
    expect(tenant).toMatchObject({ value: { checkpoints: [] } });
    const expectedHead = adopted.kind === "ok" ? (adopted.value.checkpoint?.ref?.checkpointId ?? "") : "";
    const issued = await issueOf({ key, expectedHead });
    expect(issued).toMatchObject({ value: { checkpoint: { ref: { sequence: 2n, quarantined: true } } } });
    expect(issued.kind === "ok" && issued.value.checkpoint?.ref?.tenantId).toBeUndefined();
    expect((await resumeOf({ thread: { by: key } })).kind).toBe("ok");
  });

  it("under the very key that an identity derives is met before it is forked", async () => {
    await adoptOf({ key: threadKey("percent:_:a%3Ab"), derivation, writtenTime });
    const same = identity("a:b", "percent");
    expect(refusal(await resumeOf({ thread: { by: same } })).case).toBe("ambiguousThreadKey");
    expect(refusal(await issueOf({ key: same })).case).toBe("ambiguousThreadKey");
  });

  it("is accounted for once: the same document again is that checkpoint, another one a conflict", async () => {
    const key = threadKey("once:_:s1");
    const first = await adoptOf({ key, derivation, writtenTime });
    const again = await adoptOf({ key, derivation, writtenTime });
    const unkeyed = await adoptOf({ key, derivation, idempotencyKey: "other" });
    if (first.kind !== "ok") throw new Error("it must be adopted");
    for (const repeat of [again, unkeyed]) {
      expect(repeat).toMatchObject({
        value: { firstAnswerRepeated: true, checkpoint: { ref: first.value.checkpoint?.ref } },
      });
    }
    const other = { ...document, content: { case: "text", value: "[]" } } as const;
    expect(refusal(await adoptOf({ key, derivation, document: other }))).toMatchObject({
      case: "headConflict",
      value: { actualHead: first.value.checkpoint?.ref?.checkpointId },
    });
  });

  it("may hold anything of a declared format, and nothing of another", async () => {
    const odd = (format: string) => ({ format, content: { case: "text", value: "{}" } }) as const;
    expect((await adoptOf({ key: identity("odd"), document: odd("openai-chat/1") })).kind).toBe("ok");
    expect(refusal(await resumeOf({ thread: { by: identity("odd") } }))).toMatchObject({
      case: "checkpointFormat",
      value: { cause: 4 },
    });
    expect(refusal(await adoptOf({ key: identity("odd2"), document: odd("nobody/1") }))).toMatchObject({
      value: { cause: 5 },
    });
    expect(refusal(await adoptOf({ key: identity("odd3"), document: odd("openai-chat/9") }))).toMatchObject({
      value: { cause: 1 },
    });
  });
});
