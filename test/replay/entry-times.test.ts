import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AdoptRequestSchema,
  GetTranscriptRequestSchema,
  IssueRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { EntryKind } from "../../src/gen/fermata/conversation/v1/transcript_pb.ts";
import { call, openDesk } from "../rpc/conversation/desk.ts";

/** What can be done to a history before it is kept again. */
type Change =
  | { readonly kind: "grow"; readonly words: readonly string[] }
  | { readonly kind: "cut"; readonly to: number }
  | { readonly kind: "replace"; readonly at: number; readonly word: string }
  | { readonly kind: "compact"; readonly from: number }
  | { readonly kind: "forget" };

const few = fc.constantFrom("ok", "ok ", "yes", "no"); // So few that most of them come again.
const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("grow" as const), words: fc.array(few, { minLength: 1, maxLength: 4 }) }),
  },
  fc.record({ kind: fc.constant("cut" as const), to: fc.nat(12) }),
  fc.record({ kind: fc.constant("replace" as const), at: fc.nat(12), word: few }),
  fc.record({ kind: fc.constant("compact" as const), from: fc.nat(12) }),
  fc.record({ kind: fc.constant("forget" as const) }),
);

function changed(history: readonly string[], change: Change): readonly string[] {
  switch (change.kind) {
    case "grow":
      return [...history, ...change.words];
    case "cut":
      return history.slice(0, change.to);
    case "replace":
      return history.map((word, at) => (at === change.at ? change.word : word));
    case "compact":
      return ["summary", ...history.slice(change.from)];
    case "forget":
      return [];
  }
}

/**
 * The rule, written a second time: the n-th time that an entry stands after the same one, it has the time of the first
 * checkpoint in which that happened n times.
 */
function expectedTimes(
  histories: readonly (readonly string[])[],
  timeOf: (checkpoint: number) => number,
): readonly number[] {
  const last = histories.at(-1) ?? [];
  return last.map((word, at) => {
    const pair = [last[at - 1], word];
    const times = (history: readonly string[]): number =>
      history.filter((found, place) => found === pair[1] && history[place - 1] === pair[0]).length;
    const repeat = times(last.slice(0, at + 1));
    return timeOf(histories.findIndex((history) => times(history) >= repeat));
  });
}

const documentOf = (history: readonly string[]) => ({
  format: "openai-chat/1",
  content: { case: "text" as const, value: JSON.stringify(history.map((content) => ({ role: "user", content }))) },
});

describe("when the entries of a transcript came into their thread", () => {
  const start = 1_800_000_000_000;
  let now = start;
  let session = 0;
  let desk: Awaited<ReturnType<typeof openDesk>>;
  beforeAll(async () => {
    desk = await openDesk({ now: () => now });
  });
  afterAll(() => desk.drop());

  const identity = () => ({ tenantId: "acme", sessionId: `s${session}` });
  async function issued(history: readonly string[], expectedHead?: string): Promise<string> {
    const head = expectedHead === undefined ? {} : { expectedHead };
    const key = { case: "identity" as const, value: identity() };
    const outcome = await desk.issue(create(IssueRequestSchema, { key, document: documentOf(history), ...head }), call);
    if (outcome.kind === "refusal") throw new Error(outcome.leaf.case);
    return outcome.value.checkpoint?.ref?.checkpointId ?? "";
  }
  async function adopted(history: readonly string[], writtenTime?: number): Promise<string> {
    const written = writtenTime === undefined ? {} : { writtenTime: timestampFromMs(writtenTime) };
    const key = { case: "identity" as const, value: identity() };
    const outcome = await desk.adopt(
      create(AdoptRequestSchema, { key, document: documentOf(history), ...written }),
      call,
    );
    if (outcome.kind === "refusal") throw new Error(outcome.leaf.case);
    return outcome.value.checkpoint?.ref?.checkpointId ?? "";
  }
  function page(after?: number, wish: { pageSize?: number; kinds?: EntryKind[] } = {}) {
    const afterPosition = after === undefined ? {} : { afterPosition: BigInt(after) };
    const thread = { by: { case: "identity" as const, value: identity() } };
    return desk.getTranscript(create(GetTranscriptRequestSchema, { thread, ...afterPosition, ...wish }), call);
  }
  async function times(): Promise<readonly number[]> {
    const found: number[] = [];
    for (let after: number | undefined; ; ) {
      const outcome = await page(after, { pageSize: 3 });
      if (outcome.kind === "refusal") throw new Error(outcome.leaf.case);
      found.push(
        ...outcome.value.entries.map((entry) => (entry.recordTime ? timestampMs(entry.recordTime) : Number.NaN)),
      );
      if (outcome.value.end) return found;
      after = Number(outcome.value.entries.at(-1)?.position);
    }
  }

  it("is the time of the first checkpoint that held it after the same entry, in any history", {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 9 }), async (steps) => {
      session += 1;
      const histories: (readonly string[])[] = [];
      for (const step of steps) histories.push(changed(histories.at(-1) ?? [], step));
      let head: string | undefined;
      for (const [checkpoint, history] of histories.entries()) {
        now = start + checkpoint;
        head = await issued(history, head);
        expect(await times()).toEqual(expectedTimes(histories.slice(0, checkpoint + 1), (at) => start + at));
      }
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it("is the written time of what was adopted, and the later ones' own", async () => {
    session += 1;
    const head = await adopted(["ok", "ok"], 1_600_000_000_000);
    now = start + 7;
    await issued(["ok", "ok", "ok"], head);
    expect(await times()).toEqual([1_600_000_000_000, 1_600_000_000_000, start + 7]);
  });

  it("stays unknown where it was adopted without, and what came after it can be asked for", async () => {
    session += 1;
    const head = await adopted(["a", "b"]);
    expect(await page()).toMatchObject({ leaf: { case: "transcriptUnavailable", value: { cause: 2 } } });
    await issued(["a", "b", "c", "d"], head);
    const refused = await page();
    expect(refused).toMatchObject({ leaf: { value: { cause: 2, firstPosition: 0n } } });
    const rest = await page(1);
    expect(rest).toMatchObject({ kind: "ok", value: { end: true, entries: [{ position: 2n }, { position: 3n }] } });
  });
});
