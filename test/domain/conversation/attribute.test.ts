import { describe, expect, it } from "vitest";
import type { AttributeWrite } from "../../../src/domain/conversation/attribute.ts";
import type { Attribution } from "../../../src/domain/conversation/attribution.ts";
import { decide } from "../../../src/domain/conversation/decide.ts";
import { ENVELOPE_VERSION, envelopeDigest } from "../../../src/domain/conversation/envelope.ts";
import type { StoredThread } from "../../../src/domain/conversation/stored.ts";
import type { Facts } from "../../../src/domain/conversation/write-facts.ts";
import { headerOf } from "./headers.ts";

const header = { ...headerOf("[]"), identity: undefined };
const head = {
  header,
  envelopeVersion: ENVELOPE_VERSION,
  digest: envelopeDigest(header),
  state: "active" as const,
  prunedAt: undefined,
};
const thread: StoredThread = {
  key: "corp:_:2024:05",
  identity: undefined,
  tenantId: undefined,
  quarantine: { separatorsFound: 3, separatorsExpected: 2 },
  head: { checkpointId: header.checkpointId, sequence: 2 },
};
const owner = { tenantId: "corp", subTenantId: "", sessionId: "" };
const record: Attribution = { owner, actor: "op", reason: "ledger", ticket: "T-1", supersedes: "" };
const write: AttributeWrite = { kind: "attribute", target: { by: "key", key: thread.key }, now: 9, record };
const facts: Facts = {
  first: undefined,
  thread,
  beside: undefined,
  head,
  hadExpectedHead: false,
  recorded: { newest: undefined, taken: false },
  holds: [],
};
const owned = (by: string): Partial<Facts> => ({
  thread: { ...thread, tenantId: by, quarantine: undefined },
  recorded: { newest: { ...record, owner: { ...owner, tenantId: by } }, taken: false },
});
const minted = { ...thread, identity: { tenantId: "corp", subTenantId: "", sessionId: "s" }, tenantId: "corp" };
const store = { freezeId: "f", scope: { kind: "store" as const }, createTime: 1, freezeTime: 1, epoch: 1 };

describe("the record of who owns a key", () => {
  it.each([
    { what: "of a quarantined thread", changed: {}, answer: "attribute" },
    { what: "while the store is frozen", changed: { holds: [store] }, answer: "attribute" },
    { what: "of no thread", changed: { thread: undefined }, answer: "threadNotFound" },
    { what: "of a thread that has an identity", changed: { thread: minted }, answer: "sessionIdentity tenant_id" },
    {
      what: "that supersedes nothing that is there",
      wish: { supersedes: "corp" },
      answer: "sessionIdentity supersedes",
    },
    { what: "over another one, unsaid", changed: owned("umbrella"), answer: "sessionIdentity supersedes" },
    {
      what: "over another one, wrongly said",
      changed: owned("umbrella"),
      wish: { supersedes: "corp" },
      answer: "sessionIdentity supersedes",
    },
    {
      what: "over another one, rightly said",
      changed: owned("umbrella"),
      wish: { supersedes: "umbrella" },
      answer: "attribute",
    },
    { what: "again, word for word", changed: owned("corp"), answer: "repeat" },
    {
      what: "again, by somebody else",
      changed: owned("corp"),
      wish: { actor: "other" },
      answer: "sessionIdentity supersedes",
    },
    {
      what: "with the identity of another thread",
      changed: { recorded: { newest: undefined, taken: true } },
      answer: "invalidRequest session_id",
    },
  ])("$what: $answer", ({ changed, wish, answer }) => {
    const outcome = decide({ ...write, record: { ...record, ...wish } }, { ...facts, ...changed });
    const found = outcome.kind === "ok" ? outcome.value.kind : [outcome.leaf.case, Object(outcome.leaf.value).field];
    expect([found].flat().filter(Boolean).join(" ")).toBe(answer);
  });

  it("ends the quarantine and leaves what was sealed without an identity as it is", () => {
    const outcome = decide(write, facts);
    expect(outcome).toMatchObject({
      value: {
        thread: { identity: undefined, tenantId: "corp", quarantine: undefined },
        head: { digest: head.digest },
      },
    });
  });
});
