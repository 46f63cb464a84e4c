import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/conversation/decide.ts";
import { ENVELOPE_VERSION, envelopeDigest } from "../../../src/domain/conversation/envelope.ts";
import type { Hold } from "../../../src/domain/conversation/hold.ts";
import type { IssueWrite } from "../../../src/domain/conversation/issue.ts";
import { payloadDigest } from "../../../src/domain/conversation/payload-digest.ts";
import type { Header, StoredCheckpoint, StoredThread } from "../../../src/domain/conversation/stored.ts";
import type { NamedThread, ThreadKey } from "../../../src/domain/conversation/thread-key.ts";
import type { Facts } from "../../../src/domain/conversation/write-facts.ts";
import { refuse } from "../../../src/domain/outcome.ts";
import { CheckpointFormat_Cause } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";

const identity = { tenantId: "acme", subTenantId: "", sessionId: "s1" };
const named: NamedThread = { identity, key: "acme:_:s1" as ThreadKey, legacyKeys: ["acme:_:s1"] }; // As a mint would.
const payload = { kind: "text", length: 2, digest: payloadDigest(Buffer.from("[]")) } as const;
const body = new Uint8Array([1]);

const write: IssueWrite = {
  kind: "issue",
  target: { by: "identity", named },
  checkpointId: "new",
  now: 5,
  expectedHead: "head",
  retry: { key: "given k", shown: "k", body },
  host: { runtime: "", version: "", model: "" },
  format: "openai-chat/1",
  claimedProof: undefined,
  payload,
  boundary: undefined,
  midFrame: undefined,
  unfit: undefined,
};

const thread: StoredThread = {
  key: "acme:_:s1",
  identity,
  tenantId: "acme",
  quarantine: undefined,
  head: { checkpointId: "head", sequence: 7 },
};
const open: Facts = {
  first: undefined,
  thread,
  beside: undefined,
  head: undefined,
  hadExpectedHead: true,
  holds: [],
};
const hold: Hold = { freezeId: "f", scope: { kind: "store" }, createTime: 1, freezeTime: 1, epoch: 3 };
const quarantine = { separatorsFound: 4, separatorsExpected: 2 };
const loose = { ...thread, identity: undefined, tenantId: undefined, quarantine };
const onTenant: Hold = { ...hold, scope: { kind: "tenant", tenantId: "umbrella" } };
const header: Header = {
  checkpointId: "first",
  threadKey: "acme:_:s1",
  identity,
  sequence: 1,
  parentCheckpointId: undefined,
  sourceCheckpointId: undefined,
  origin: "issued",
  createTime: 1,
  writtenTime: undefined,
  host: write.host,
  format: "openai-chat/1",
  boundary: undefined,
  claimedProof: undefined,
  payload,
};
const stored: StoredCheckpoint = {
  header,
  envelopeVersion: ENVELOPE_VERSION,
  digest: envelopeDigest(header),
  state: "retired",
  prunedAt: 9,
};
const first = { body, checkpoint: stored, midFrame: undefined };
const unfit = refuse("checkpointFormat", { cause: CheckpointFormat_Cause.UNRECOGNISED });

const leafOf = (facts: Partial<Facts>, wish: Partial<IssueWrite> = {}) => {
  const outcome = decide({ ...write, ...wish }, { ...open, ...facts });
  return outcome.kind === "ok" ? outcome.value.kind : outcome.leaf.case;
};

describe("the order of an Issue", () => {
  // Each line holds with everything of the lines below it.
  const conflict = { thread: { ...thread, head: { checkpointId: "other", sequence: 8 } } };
  const frozen = { ...conflict, holds: [hold] };
  const headless = { ...frozen, hadExpectedHead: false };
  const beside = { ...headless, beside: quarantine };
  it.each([
    { name: "the first answer", facts: { ...beside, first }, wish: { unfit }, answer: "repeat" },
    {
      name: "its key used for something else",
      facts: { ...beside, first: { ...first, body: new Uint8Array([2]) } },
      wish: { unfit },
      answer: "idempotencyKeyReused",
    },
    { name: "a quarantined thread beside it", facts: beside, wish: { unfit }, answer: "ambiguousThreadKey" },
    { name: "a head that never was", facts: headless, wish: { unfit }, answer: "checkpointNotFound" },
    { name: "an unfit document", facts: frozen, wish: { unfit }, answer: "checkpointFormat" },
    { name: "a hold", facts: frozen, wish: {}, answer: "issuanceFrozen" },
    { name: "another head", facts: conflict, wish: {}, answer: "headConflict" },
    { name: "nothing", facts: {}, wish: {}, answer: "append" },
  ])("$name", ({ facts, wish, answer }) => {
    expect(leafOf(facts, wish)).toBe(answer);
  });

  it("by key never begins a thread, and by identity does", () => {
    const nothing = { thread: undefined };
    expect(leafOf(nothing, { target: { by: "key", key: "k" }, expectedHead: undefined, unfit })).toBe("threadNotFound");
    expect(leafOf(nothing, { expectedHead: undefined })).toBe("append");
    expect(leafOf({ ...nothing, hadExpectedHead: false }, { expectedHead: "elsewhere" })).toBe("checkpointNotFound");
  });

  it("goes onto a quarantined thread by its key, unless a hold names a tenant", () => {
    const target = { by: "key", key: "acme:_:s1" } as const;
    expect(leafOf({ thread: loose }, { target })).toBe("append");
    expect(leafOf({ thread: loose, holds: [onTenant] }, { target })).toBe("ambiguousThreadKey");
    expect(leafOf({ thread: loose, holds: [onTenant, hold] }, { target })).toBe("issuanceFrozen");
    expect(leafOf({ holds: [onTenant] })).toBe("append");
  });

  it("follows a discarded head like any other", () => {
    expect(leafOf({ head: { ...stored, state: "discarded" } })).toBe("append");
  });
});

describe("what an Issue changes", () => {
  it("stands after the head, in the thread that was found, and seals what it says", () => {
    const outcome = decide(write, open);
    if (outcome.kind !== "ok" || outcome.value.kind !== "append") throw new Error("it must append");
    const { checkpoint, begins, previous } = outcome.value;
    expect(checkpoint.header).toMatchObject({ sequence: 8, parentCheckpointId: "head", identity, createTime: 5 });
    expect(checkpoint.digest).toEqual(envelopeDigest(checkpoint.header));
    expect([begins, previous]).toEqual([undefined, thread.head]);
  });

  it("seals no identity that was not proved when the thread began", () => {
    const attributed = { ...loose, tenantId: "acme", quarantine: undefined };
    const outcome = decide({ ...write, target: { by: "key", key: "k" } }, { ...open, thread: attributed });
    if (outcome.kind !== "ok" || outcome.value.kind !== "append") throw new Error("it must append");
    expect(outcome.value.checkpoint.header.identity).toBeUndefined();
    expect(outcome.value.thread.tenantId).toBe("acme");
  });
});

describe("an envelope's digest", () => {
  it("differs with every part of the header", () => {
    const other: { readonly [K in keyof Header]: Header[K] } = {
      checkpointId: "x",
      threadKey: "x",
      identity: undefined,
      sequence: 2,
      parentCheckpointId: "",
      sourceCheckpointId: "",
      origin: "adopted",
      createTime: 2,
      writtenTime: 0,
      host: { runtime: "", version: "", model: "x" },
      format: "x/1",
      boundary: { kind: 1, proof: "", entries: 0 },
      claimedProof: "",
      payload: { ...payload, length: 3 },
    };
    const digests = Object.entries(other).map(([name, value]) => envelopeDigest({ ...header, [name]: value }));
    const all = [envelopeDigest(header), ...digests].map((digest) => Buffer.from(digest).toString("hex"));
    expect(new Set(all).size).toBe(Object.keys(header).length + 1);
  });

  it("never changes for a header that was written: a stored digest is for ever", () => {
    expect(Buffer.from(envelopeDigest(header)).toString("hex")).toBe(
      "ba1b3a73cab8761ddcab89954c95957495d941d07fe17ee71b2688008dc7b354",
    );
  });
});
