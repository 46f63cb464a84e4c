import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { envelopeDigest } from "../../../src/domain/conversation/envelope.ts";
import type { FoundCheckpoint } from "../../../src/domain/conversation/found.ts";
import { decideReplay, type ReplayFacts, replayIdOf } from "../../../src/domain/conversation/replay.ts";
import { layOutReplay } from "../../../src/domain/conversation/replay-layout.ts";
import { publishWindow } from "../../../src/domain/conversation/support-window.ts";
import { decideTranscript } from "../../../src/domain/conversation/transcript.ts";
import { refuse } from "../../../src/domain/outcome.ts";
import { BoundaryKind, BoundarySchema } from "../../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  CheckpointFormat_Cause,
  TranscriptUnavailable_Cause as Unavailable,
  UnsafeBoundary_Cause,
} from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { foundOf, headerOf } from "./headers.ts";

const supportedUntil = Date.parse("2027-06-01T00:00:00Z");
const replayUntil = Date.parse("2027-12-01T00:00:00Z");
const published = publishWindow({
  supportRoute: "https://support.example",
  formats: { "openai-chat/1": { supportedUntil, replayUntil } },
});
if (published.kind === "invalid") throw new Error("the window of this test is wrong");

const header = headerOf("[]");
const found = foundOf(header, new Uint8Array(2));
const boundary = create(BoundarySchema, { kind: BoundaryKind.EMPTY, proof: "openai-chat/turn-complete/1", entries: 0 });
const layout = layOutReplay([], Buffer.from("[]"), 0);
const good: ReplayFacts = {
  asked: { claimedTenantId: "acme", checkpointId: undefined },
  found,
  examined: { digest: header.payload.digest, length: 2, verdict: { kind: "boundary", boundary } },
  layout,
  format: published.value.formats.get("openai-chat/1"),
  now: supportedUntil,
};

const unsafe = { cause: UnsafeBoundary_Cause.TURN_OPEN };
const verdictOf = (facts: ReplayFacts, verdict: NonNullable<ReplayFacts["examined"]>["verdict"]): ReplayFacts => {
  return { ...facts, examined: facts.examined && { ...facts.examined, verdict } };
};
const changed = (facts: ReplayFacts, change: Partial<FoundCheckpoint>): ReplayFacts => {
  return facts.found.kind === "checkpoint" ? { ...facts, found: { ...facts.found, ...change } } : facts;
};

/** What can be wrong, in the order in which it answers. Two of them that are about the same thing can't hold together. */
const rows: readonly {
  readonly answer: string;
  readonly about: string;
  readonly make: (facts: ReplayFacts) => ReplayFacts;
}[] = [
  {
    answer: "sessionIdentity",
    about: "claim",
    make: (facts) => ({ ...facts, asked: { ...facts.asked, claimedTenantId: "other" } }),
  },
  {
    answer: "ambiguousThreadKey",
    about: "beside",
    make: (facts) => changed(facts, { beside: { separatorsFound: 4, separatorsExpected: 2 } }),
  },
  {
    answer: "checkpointNotFound",
    about: "state",
    make: (facts) => changed(facts, { checkpoint: { ...found.checkpoint, state: "retired" } }),
  },
  { answer: "checkpointFormat", about: "place", make: (facts) => changed(facts, { inPlace: false }) },
  {
    answer: "checkpointFormat",
    about: "length",
    make: (facts) => ({ ...facts, examined: facts.examined && { ...facts.examined, length: 1 } }),
  },
  {
    answer: "checkpointFormat",
    about: "verdict",
    make: (facts) =>
      verdictOf(
        { ...facts, layout: undefined },
        refuse("checkpointFormat", { cause: CheckpointFormat_Cause.UNRECOGNISED }),
      ),
  },
  { answer: "horizonExpired", about: "clock", make: (facts) => ({ ...facts, now: replayUntil }) },
  {
    answer: "unsafeBoundary",
    about: "verdict",
    make: (facts) => verdictOf({ ...facts, layout: undefined }, { kind: "midFrame", unsafe, lastSafe: undefined }),
  },
  { answer: "transcriptUnavailable", about: "verdict", make: (facts) => ({ ...facts, layout: undefined }) },
];

const answerOf = (facts: ReplayFacts): string => {
  const outcome = decideReplay(facts);
  return outcome.kind === "ok" ? "ok" : outcome.leaf.case;
};

describe("the rows of Replay", () => {
  it("let a checkpoint through between the end of support and the end of replays, mid-frame or not", () => {
    expect(decideReplay(good)).toMatchObject({ value: { replayId: replayIdOf(found.checkpoint), boundary } });
    expect(answerOf(verdictOf(good, { kind: "midFrame", unsafe, lastSafe: boundary }))).toBe("ok");
    expect(answerOf({ ...good, now: replayUntil - 1 })).toBe("ok");
  });

  it.each(rows)("refuse with $answer by $about", ({ make, answer }) => expect(answerOf(make(good))).toBe(answer));

  it("answer with the first of any two that hold together", () => {
    for (const [at, first] of rows.entries()) {
      for (const second of rows.slice(at + 1).filter(({ about }) => about !== first.about)) {
        expect(answerOf(first.make(second.make(good))), `${first.about} and ${second.about}`).toBe(first.answer);
      }
    }
  });

  it("name a replay by its source alone", () => {
    const other = { ...found.checkpoint, digest: envelopeDigest({ ...header, sequence: 3 }) };
    expect(replayIdOf(found.checkpoint)).toMatch(/^[0-9a-f]{64}$/);
    expect(replayIdOf(other)).not.toBe(replayIdOf(found.checkpoint));
    expect(replayIdOf({ ...found.checkpoint, state: "retired" } as never)).toBe(replayIdOf(found.checkpoint));
  });
});

describe("the rows of GetTranscript", () => {
  const transcript = { ...layout, keys: new Uint8Array() };
  it.each([
    { what: "a whole document", change: {}, answer: "ok" },
    { what: "one past every end", change: { now: replayUntil }, answer: "ok" },
    {
      what: "another tenant's claim",
      change: { asked: { claimedTenantId: "x", checkpointId: undefined } },
      answer: "sessionIdentity",
    },
    {
      what: "no thread",
      change: { found: { kind: "no-thread" as const, beside: undefined } },
      answer: "threadNotFound",
    },
    {
      what: "a thread whose head is not there",
      change: { found: { kind: "no-checkpoint" as const, thread: found.thread, beside: undefined } },
      answer: "transcriptUnavailable",
      cause: Unavailable.GAP,
    },
    {
      what: "a discarded head",
      change: { found: { ...found, checkpoint: { ...found.checkpoint, state: "discarded" as const } } },
      answer: "checkpointNotFound",
    },
    {
      what: "a damaged head",
      change: { found: { ...found, inPlace: false } },
      answer: "transcriptUnavailable",
      cause: Unavailable.GAP,
    },
    {
      what: "a pruned document",
      change: {
        found: { ...found, lastSafeCheckpointId: undefined, checkpoint: { ...found.checkpoint, prunedAt: 1 } },
        examined: undefined,
      },
      answer: "transcriptUnavailable",
      cause: Unavailable.NO_DURABLE_SOURCE,
    },
    {
      what: "a damaged payload",
      change: { examined: undefined },
      answer: "transcriptUnavailable",
      cause: Unavailable.GAP,
    },
    {
      what: "no adapter",
      change: { layout: undefined },
      answer: "transcriptUnavailable",
      cause: Unavailable.NO_DURABLE_SOURCE,
    },
  ])("answer $what with $answer", ({ change, answer, cause }) => {
    const outcome = decideTranscript({ ...good, layout: transcript, ...change });
    expect(outcome.kind === "ok" ? "ok" : outcome.leaf.case).toBe(answer);
    if (cause !== undefined) expect(outcome).toMatchObject({ leaf: { value: { cause, threadKey: header.threadKey } } });
  });
});
