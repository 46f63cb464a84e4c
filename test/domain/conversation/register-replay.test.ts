import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/conversation/decide.ts";
import { ENVELOPE_VERSION, envelopeDigest } from "../../../src/domain/conversation/envelope.ts";
import type { Hold, HoldScope } from "../../../src/domain/conversation/hold.ts";
import { payloadDigest } from "../../../src/domain/conversation/payload-digest.ts";
import type { RegisterReplayWrite } from "../../../src/domain/conversation/register-replay.ts";
import { replayIdOf } from "../../../src/domain/conversation/replay.ts";
import type { Header, StoredCheckpoint, StoredThread } from "../../../src/domain/conversation/stored.ts";
import type { Facts } from "../../../src/domain/conversation/write-facts.ts";
import { refuse } from "../../../src/domain/outcome.ts";
import {
  IssuanceFrozen_Cause as Frozen,
  UnsafeBoundary_Cause,
} from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { headerOf } from "./headers.ts";

const stored = (header: Header, state: StoredCheckpoint["state"] = "active"): StoredCheckpoint => ({
  header,
  envelopeVersion: ENVELOPE_VERSION,
  digest: envelopeDigest(header),
  state,
  prunedAt: undefined,
});

const header = headerOf("[]");
const sourceId = header.checkpointId;
const checkpoint = stored(header);
const payload = { kind: "text", length: 2, digest: payloadDigest(Buffer.from("{}")) } as const;
const output = stored({ ...header, checkpointId: "output", sequence: 3, sourceCheckpointId: sourceId, payload });
const thread: StoredThread = {
  key: "acme:_:s1",
  identity: header.identity,
  tenantId: "acme",
  quarantine: undefined,
  head: { checkpointId: sourceId, sequence: 2 },
};
const loose: StoredThread = {
  ...thread,
  identity: undefined,
  tenantId: undefined,
  quarantine: { separatorsFound: 4, separatorsExpected: 2 },
};

const write: RegisterReplayWrite = {
  kind: "registerReplay",
  target: { by: "source", checkpointId: sourceId },
  checkpointId: "new",
  now: 1_800_000_000_000,
  replayId: replayIdOf(checkpoint),
  expectedHead: sourceId,
  retry: { key: "given k", shown: "k", body: new Uint8Array([1]) },
  host: { runtime: "", version: "", model: "" },
  format: "openai-chat/1",
  claimedProof: undefined,
  payload,
  boundary: undefined,
  unfit: undefined,
};
const facts: Facts = {
  first: undefined,
  thread,
  beside: undefined,
  head: undefined,
  hadExpectedHead: true,
  source: { checkpoint, output: undefined, countedBy: ["f"] },
  holds: [],
};

const hold = (scope: HoldScope, createTime = header.createTime + 1): Hold => {
  return { freezeId: "f", scope, createTime, freezeTime: createTime, epoch: 1 };
};
const onStore = hold({ kind: "store" });
const onFormat = hold({ kind: "format", format: "openai-chat/1" });
const onOtherFormat = hold({ kind: "format", format: "langgraph/3" });
const onTenant = hold({ kind: "tenant", tenantId: "acme" });
const onBoth = hold({ kind: "tenant_format", tenantId: "acme", format: "openai-chat/1" });
const onOther = hold({ kind: "tenant", tenantId: "umbrella" });
const onOtherBoth = hold({ kind: "tenant_format", tenantId: "umbrella", format: "openai-chat/1" });

const causes: Readonly<Record<number, string>> = {
  [Frozen.NEW_STATE]: "NEW_STATE",
  [Frozen.UNACCOUNTED_LEGACY]: "UNACCOUNTED_LEGACY",
  [Frozen.OUTPUT_FORMAT_FROZEN]: "OUTPUT_FORMAT_FROZEN",
};

const answerTo = (changed: Partial<Facts>, wish: Partial<RegisterReplayWrite> = {}): string => {
  const outcome = decide({ ...write, ...wish }, { ...facts, ...changed });
  if (outcome.kind === "ok") return outcome.value.kind;
  const { leaf } = outcome;
  return leaf.case === "issuanceFrozen" ? `${leaf.case} ${causes[leaf.value.cause]}` : leaf.case;
};

const unfit = refuse("unsafeBoundary", { cause: UnsafeBoundary_Cause.TURN_OPEN });
const gone: Partial<Facts> = { thread: undefined, source: undefined };
const taken: Partial<Facts> = { source: { checkpoint: stored(header, "retired"), output, countedBy: ["f"] } };
const replayOf = (countedBy: readonly string[]) => {
  const made = stored({ ...header, origin: "replayed", sourceCheckpointId: "older" });
  return {
    changed: { source: { checkpoint: made, output: undefined, countedBy } },
    wish: { replayId: replayIdOf(made) },
  };
};

describe("what stands in the way of a replay's registration, the first of them", () => {
  const wrongId = { replayId: "another" };
  const first = { body: write.retry.body, checkpoint: output, midFrame: undefined };
  it.each([
    { what: "nothing", changed: {}, answer: "append" },
    { what: "its own first answer", changed: { first, ...taken, holds: [onFormat] }, answer: "repeat" },
    {
      what: "a key used for something else",
      changed: { first: { ...first, body: new Uint8Array() } },
      answer: "idempotencyKeyReused",
    },
    { what: "a source that is not there", changed: gone, answer: "checkpointNotFound" },
    {
      what: "a source that was given up",
      changed: { source: { checkpoint: stored(header, "discarded"), output: undefined, countedBy: ["f"] } },
      answer: "checkpointNotFound",
    },
    {
      what: "a source without its payload",
      changed: { source: { checkpoint: { ...checkpoint, prunedAt: 1 }, output: undefined, countedBy: ["f"] } },
      answer: "checkpointNotFound",
    },
    {
      what: "a damaged source",
      changed: {
        source: { checkpoint: { ...checkpoint, digest: new Uint8Array(32) }, output: undefined, countedBy: ["f"] },
      },
      answer: "checkpointFormat",
    },
    {
      what: "another replay, before a head that never was",
      changed: { hadExpectedHead: false },
      wish: wrongId,
      answer: "invalidRequest",
    },
    {
      what: "another replay, before an unfit document and a hold",
      changed: { holds: [onFormat] },
      wish: { ...wrongId, unfit },
      answer: "invalidRequest",
    },
    {
      what: "a head that never was",
      changed: { hadExpectedHead: false },
      wish: { expectedHead: "x", unfit },
      answer: "checkpointNotFound",
    },
    { what: "the same bytes again under another key", changed: taken, answer: "repeat" },
    { what: "the same bytes again under a hold", changed: { ...taken, holds: [onFormat, onStore] }, answer: "repeat" },
    { what: "other bytes for the same source", changed: taken, wish: { format: "other/1" }, answer: "headConflict" },
    {
      what: "an unfit document, before the gate",
      changed: { holds: [onFormat] },
      wish: { unfit },
      answer: "unsafeBoundary",
    },
    {
      what: "an unfit document, before the head",
      changed: taken,
      wish: { unfit, format: "other/1" },
      answer: "unsafeBoundary",
    },
    {
      what: "a head that has moved on",
      changed: { thread: { ...thread, head: { checkpointId: "newer", sequence: 3 } } },
      answer: "headConflict",
    },
  ])("$what: $answer", ({ changed, wish, answer }) => expect(answerTo(changed, wish)).toBe(answer));

  it.each([
    { what: "a hold on the store lets a counted head through", holds: [onStore], answer: "append" },
    { what: "a hold on the tenant lets a counted head through", holds: [onTenant], answer: "append" },
    { what: "a hold on another tenant does not matter", holds: [onOther, onOtherBoth], answer: "append" },
    { what: "a hold on another format does not matter", holds: [onOtherFormat], answer: "append" },
    { what: "a hold on the output's format", holds: [onFormat], answer: "issuanceFrozen OUTPUT_FORMAT_FROZEN" },
    {
      what: "a hold on the output's tenant and format",
      holds: [onBoth],
      answer: "issuanceFrozen OUTPUT_FORMAT_FROZEN",
    },
    {
      what: "the format's hold answers before the store's",
      holds: [onStore, onFormat],
      answer: "issuanceFrozen OUTPUT_FORMAT_FROZEN",
    },
    {
      what: "another output format passes",
      holds: [onFormat, onBoth],
      wish: { format: "anthropic-messages/1" },
      answer: "append",
    },
  ])("$what: $answer", ({ holds, wish, answer }) => expect(answerTo({ holds }, wish)).toBe(answer));

  it.each([
    { what: "that the store's hold counted", countedBy: ["f"], holds: [onStore], answer: "append" },
    { what: "made under a hold on the store", countedBy: [], holds: [onStore], answer: "issuanceFrozen NEW_STATE" },
    { what: "made under a hold on the tenant", countedBy: [], holds: [onTenant], answer: "issuanceFrozen NEW_STATE" },
    { what: "made without a hold", countedBy: [], holds: [], answer: "append" },
    { what: "made under a hold on another tenant", countedBy: [], holds: [onOther], answer: "append" },
  ])("the replay of a replay $what: $answer", ({ countedBy, holds, answer }) => {
    const { changed, wish } = replayOf(countedBy);
    expect(answerTo({ ...changed, holds }, wish)).toBe(answer);
  });

  it.each([
    { what: "the head", origin: "issued" as const, head: sourceId, answer: "append" },
    { what: "an older checkpoint", origin: "issued" as const, head: "newer", answer: "issuanceFrozen NEW_STATE" },
    { what: "a replay made since", origin: "replayed" as const, head: sourceId, answer: "issuanceFrozen NEW_STATE" },
  ])(
    "a hold that is still closing will have counted the head as it was: $what is $answer",
    ({ origin, head, answer }) => {
      const checkpoint = stored({ ...header, origin, createTime: onStore.createTime });
      const changed = {
        thread: { ...thread, head: { checkpointId: head, sequence: 3 } },
        source: { checkpoint, output: undefined, countedBy: [] },
        holds: [{ ...onStore, freezeTime: undefined }],
      };
      expect(answerTo(changed, { replayId: replayIdOf(checkpoint), expectedHead: head })).toBe(answer);
    },
  );

  it.each([
    { holds: [onStore], answer: "issuanceFrozen UNACCOUNTED_LEGACY" },
    { holds: [onOtherFormat], answer: "issuanceFrozen UNACCOUNTED_LEGACY" },
    { holds: [onTenant], answer: "checkpointNotFound" },
  ])("a source that nobody adopted is $answer", ({ holds, answer }) => {
    expect(answerTo({ ...gone, holds })).toBe(answer);
  });

  it.each([
    { what: "is open", holds: [], answer: "append" },
    { what: "is open under a hold on the store", holds: [onStore], answer: "append" },
    { what: "is open under a tenant's hold, as its head was there before", holds: [onOther], answer: "append" },
    { what: "can't be decided where a tenant's format is frozen", holds: [onOtherBoth], answer: "ambiguousThreadKey" },
  ])("the replay of a quarantined thread $what", ({ holds, answer }) => {
    expect(answerTo({ thread: loose, holds })).toBe(answer);
  });

  it("can't decide the replay of a quarantined replay while a tenant is frozen", () => {
    const { changed, wish } = replayOf([]);
    expect(answerTo({ ...changed, thread: loose, holds: [onOther] }, wish)).toBe("ambiguousThreadKey");
  });

  it("takes its source's place, retires it and keeps the thread's owner", () => {
    const attributed = { ...thread, identity: undefined, tenantId: "corp" };
    expect(decide(write, { ...facts, thread: attributed })).toMatchObject({
      kind: "ok",
      value: {
        retires: sourceId,
        thread: { key: "acme:_:s1", identity: undefined, tenantId: "corp", head: { checkpointId: "new", sequence: 3 } },
        checkpoint: {
          state: "active",
          header: { origin: "replayed", sourceCheckpointId: sourceId, parentCheckpointId: sourceId, sequence: 3 },
        },
      },
    });
  });
});
