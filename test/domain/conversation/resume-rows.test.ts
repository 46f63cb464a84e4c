import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { envelopeDigest } from "../../../src/domain/conversation/envelope.ts";
import type { FoundCheckpoint } from "../../../src/domain/conversation/found.ts";
import { payloadDigest } from "../../../src/domain/conversation/payload-digest.ts";
import { decideResume, type ResumeFacts } from "../../../src/domain/conversation/resume.ts";
import { publishWindow } from "../../../src/domain/conversation/support-window.ts";
import { nameThread } from "../../../src/domain/conversation/thread-key.ts";
import { refuse } from "../../../src/domain/outcome.ts";
import { BoundaryKind, BoundarySchema } from "../../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import { IssuanceState } from "../../../src/gen/fermata/conversation/v1/freeze_pb.ts";
import {
  CheckpointFormat_Cause,
  RefusalSchema,
  UnsafeBoundary_Cause,
} from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { foundOf, headerOf } from "./headers.ts";

/** A call in the making: what its identity says, and what is found for it. */
interface Making {
  readonly tenantId: string;
  readonly subTenantId?: string;
  readonly sessionId: string;
  readonly facts: ResumeFacts;
}

interface Condition {
  readonly row: number;
  readonly name: string;
  readonly reason: string;
  readonly cause?: string;
  /** Conditions of which at most one can hold. */
  readonly about: readonly string[];
  readonly make: (making: Making) => Making;
}

const before = Date.parse("2027-01-01T00:00:00Z");
const end = Date.parse("2027-06-01T00:00:00Z");
const bytes = new Uint8Array(Buffer.from("[]"));

const header = headerOf("[]");

const checkpoint = foundOf(header, bytes);

const window = publishWindow({
  supportRoute: "https://support.example",
  formats: { "openai-chat/1": { supportedUntil: end } },
});
if (window.kind === "invalid") throw new Error("the window of this test is wrong");

const safe: Making = {
  tenantId: "acme",
  sessionId: "s1",
  facts: {
    asked: { claimedTenantId: undefined, checkpointId: undefined },
    found: checkpoint,
    examined: {
      digest: payloadDigest(bytes),
      length: bytes.length,
      verdict: {
        kind: "boundary",
        boundary: create(BoundarySchema, { kind: BoundaryKind.EMPTY, proof: "p", entries: 0 }),
      },
    },
    format: window.value.formats.get("openai-chat/1"),
    now: before,
  },
};

const withFacts = (making: Making, facts: Partial<ResumeFacts>): Making => ({
  ...making,
  facts: { ...making.facts, ...facts },
});
const withFound = (making: Making, change: (found: FoundCheckpoint) => ResumeFacts["found"]): Making => {
  const { found } = making.facts;
  return found.kind === "checkpoint" ? withFacts(making, { found: change(found) }) : making;
};
const withVerdict = (making: Making, verdict: NonNullable<ResumeFacts["examined"]>["verdict"]): Making => {
  const { examined } = making.facts;
  return examined === undefined ? making : withFacts(making, { examined: { ...examined, verdict } });
};
const claimed = (making: Making, claimedTenantId: string): Making =>
  withFacts(making, { asked: { ...making.facts.asked, claimedTenantId } });
const state = (word: "retired" | "discarded") => (making: Making) =>
  withFound(making, (found) => ({ ...found, checkpoint: { ...found.checkpoint, state: word } }));

const conditions: readonly Condition[] = [
  {
    row: 1,
    name: "no tenant",
    reason: "sessionIdentity",
    cause: "EMPTY",
    about: ["tenant"],
    make: (m) => ({ ...m, tenantId: "" }),
  },
  {
    row: 1,
    name: "a reserved sub-tenant",
    reason: "sessionIdentity",
    cause: "RESERVED_VALUE",
    about: ["sub"],
    make: (m) => ({ ...m, subTenantId: "_" }),
  },
  {
    row: 1,
    name: "a blank session",
    reason: "sessionIdentity",
    cause: "FORBIDDEN_CHARACTER",
    about: ["session"],
    make: (m) => ({ ...m, sessionId: " " }),
  },
  {
    row: 2,
    name: "a separator in the tenant",
    reason: "ambiguousThreadKey",
    cause: "MINT",
    about: ["tenant"],
    make: (m) => ({ ...m, tenantId: "a:b" }),
  },
  {
    row: 2,
    name: "a separator in the sub-tenant",
    reason: "ambiguousThreadKey",
    cause: "MINT",
    about: ["sub"],
    make: (m) => ({ ...m, subTenantId: "a:b" }),
  },
  {
    row: 3,
    name: "another tenant's claim",
    reason: "sessionIdentity",
    cause: "TENANT_MISMATCH",
    about: ["claim", "thread"],
    make: (m) => claimed(m, "umbrella"),
  },
  {
    row: 4,
    name: "a quarantined thread beside it",
    reason: "ambiguousThreadKey",
    cause: "ATTRIBUTE",
    about: ["beside"],
    make: (m) => withFacts(m, { found: { ...m.facts.found, beside: { separatorsFound: 4, separatorsExpected: 2 } } }),
  },
  {
    row: 4,
    name: "a quarantined thread and a claim",
    reason: "ambiguousThreadKey",
    cause: "ATTRIBUTE",
    about: ["claim", "thread", "identity"],
    make: (m) =>
      withFound(claimed(m, "acme"), (found) => {
        const bare = { ...found.checkpoint.header, identity: undefined };
        const quarantine = { separatorsFound: 4, separatorsExpected: 2 };
        const thread = { ...found.thread, identity: undefined, tenantId: undefined, quarantine };
        return { ...found, thread, checkpoint: { ...found.checkpoint, header: bare, digest: envelopeDigest(bare) } };
      }),
  },
  {
    row: 5,
    name: "no thread",
    reason: "threadNotFound",
    about: ["thread", "there", "state", "digest", "payload", "verdict"],
    make: (m) =>
      withFacts(m, {
        found: { kind: "no-thread", beside: m.facts.found.beside },
        examined: undefined,
        format: undefined,
      }),
  },
  {
    row: 5,
    name: "no such checkpoint",
    reason: "checkpointNotFound",
    about: ["there", "state", "digest", "payload", "verdict"],
    make: (m) =>
      withFacts(
        withFound(m, ({ thread, beside }) => ({ kind: "no-checkpoint", thread, beside })),
        { examined: undefined, asked: { ...m.facts.asked, checkpointId: "01900000-0000-7000-8000-00000000000f" } },
      ),
  },
  { row: 5, name: "retired", reason: "checkpointNotFound", about: ["state"], make: state("retired") },
  { row: 5, name: "discarded", reason: "checkpointNotFound", about: ["state"], make: state("discarded") },
  {
    row: 5,
    name: "pruned",
    reason: "checkpointNotFound",
    about: ["state", "payload", "verdict"],
    make: (m) =>
      withFacts(
        withFound(m, (found) => ({
          ...found,
          payload: undefined,
          checkpoint: { ...found.checkpoint, prunedAt: before },
        })),
        { examined: undefined },
      ),
  },
  {
    row: 6,
    name: "an envelope that fails its digest",
    reason: "checkpointFormat",
    cause: "CORRUPT",
    about: ["digest", "identity"],
    make: (m) =>
      withFound(m, (found) => ({ ...found, checkpoint: { ...found.checkpoint, digest: new Uint8Array(32) } })),
  },
  {
    row: 6,
    name: "a head at another place",
    reason: "checkpointFormat",
    cause: "CORRUPT",
    about: ["place"],
    make: (m) => withFound(m, (found) => ({ ...found, inPlace: false })),
  },
  {
    row: 6,
    name: "a payload that fails its digest",
    reason: "checkpointFormat",
    cause: "CORRUPT",
    about: ["payload"],
    make: (m) =>
      m.facts.examined === undefined
        ? m
        : withFacts(m, { examined: { ...m.facts.examined, digest: new Uint8Array(32) } }),
  },
  {
    row: 6,
    name: "not of its format",
    reason: "checkpointFormat",
    cause: "UNRECOGNISED",
    about: ["verdict"],
    make: (m) => withVerdict(m, refuse("checkpointFormat", { cause: CheckpointFormat_Cause.UNRECOGNISED })),
  },
  {
    row: 7,
    name: "past the horizon",
    reason: "horizonExpired",
    about: ["horizon"],
    make: (m) => withFacts(m, { now: end }),
  },
  {
    row: 8,
    name: "mid-frame",
    reason: "unsafeBoundary",
    cause: "DANGLING_TOOL_CALL",
    about: ["verdict"],
    make: (m) =>
      withVerdict(m, {
        kind: "midFrame",
        unsafe: { cause: UnsafeBoundary_Cause.DANGLING_TOOL_CALL },
        lastSafe: undefined,
      }),
  },
  {
    row: 9,
    name: "no published proof",
    reason: "unsafeBoundary",
    cause: "NO_TESTED_BOUNDARY",
    about: ["verdict"],
    make: (m) =>
      withVerdict(m, {
        kind: "midFrame",
        unsafe: { cause: UnsafeBoundary_Cause.NO_TESTED_BOUNDARY },
        lastSafe: undefined,
      }),
  },
];

const gone = new Set(["no thread", "no such checkpoint", "pruned"]);

/** Absences take away what other conditions are about, so they are made last. */
const together = (one: Condition, other: Condition): Making => {
  const order = [one, other].toSorted((a, b) => Number(gone.has(a.name)) - Number(gone.has(b.name)));
  return order.reduce((making, { make }) => make(making), safe);
};

const answerTo = ({ facts, ...identity }: Making) => {
  const named = nameThread(
    { $typeName: "fermata.conversation.v1.ThreadIdentity", ...identity },
    { separator: ":", derivations: [] },
  );
  return named.kind === "refusal" ? named : decideResume(facts);
};

const shown = ({ leaf: { case: reason, value } }: { leaf: { case: string; value: unknown } }): readonly unknown[] => {
  const { cause, direction } = value as { cause?: number; direction?: number };
  return [reason, cause ?? direction];
};

const pairs = conditions.flatMap((one, at) =>
  conditions
    .slice(at + 1)
    .filter((other) => !one.about.some((subject) => other.about.includes(subject)))
    .map((other) => ({ first: one, second: other, title: `${one.row} ${one.name} / ${other.row} ${other.name}` })),
);

describe("the ten rows of Resume", () => {
  it("is OK where nothing speaks against it", () => {
    expect(answerTo(safe)).toMatchObject({ kind: "ok", value: { issuance: IssuanceState.OPEN } });
  });

  it.each(conditions)("row $row: $name", ({ reason, cause = "", make }) => {
    const answer = answerTo(make(safe));
    if (answer.kind !== "refusal") throw new Error("it may not pass");
    expect(answer.leaf.case).toBe(reason);
    const json = JSON.stringify(toJson(RefusalSchema, create(RefusalSchema, { leaf: answer.leaf })));
    expect(json).toMatch(cause === "" ? /./ : new RegExp(`"(CAUSE|DIRECTION)_${cause}"`));
  });

  it("has a pair for every two rows that can hold together", () => {
    const rows = new Set(pairs.map(({ first, second }) => `${first.row}+${second.row}`));
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((one) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((two) => [one, two] as const),
    );
    const wanted = all.filter(([one, two]) => one < two).map(([one, two]) => `${one}+${two}`);
    // A document is mid-frame or at a boundary without a proof, never both.
    expect(wanted.filter((pair) => !rows.has(pair))).toEqual(["8+9"]);
  });

  it.each(pairs)("the first answers: $title", ({ first, second }) => {
    const alone = answerTo(first.make(safe));
    const both = answerTo(together(first, second));
    if (alone.kind !== "refusal" || both.kind !== "refusal") throw new Error("neither may pass");
    expect(shown(both)).toEqual(shown(alone));
  });
});
