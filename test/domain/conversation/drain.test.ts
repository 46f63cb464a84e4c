import { describe, expect, it } from "vitest";
import { type ActiveGroup, type DrainTally, drainOf } from "../../../src/domain/conversation/drain.ts";
import { countedBy } from "../../../src/domain/conversation/drain-count.ts";
import { drainTerms } from "../../../src/domain/conversation/drain-terms.ts";
import type { Hold, HoldScope } from "../../../src/domain/conversation/hold.ts";
import { publishWindow, type WindowSettings } from "../../../src/domain/conversation/support-window.ts";

const tally: DrainTally = {
  freezeId: "f",
  frozen: true,
  atFreeze: 10,
  adoptedSince: 2,
  drained: 3,
  discarded: 1,
  active: [],
  quarantined: { count: 0, checkpointIds: [] },
  revision: 7,
};
const group = (format: string, leaf: string | undefined, count: number): ActiveGroup => ({
  format,
  leaf,
  count,
  checkpointIds: Array.from({ length: Math.min(count, 25) }, (_, at) => `${format} ${leaf} ${at}`),
});

describe("a drain", () => {
  it.each([
    { name: "everything is moved", active: [], remaining: 0n, unscanned: 0n, done: true },
    { name: "something can be moved", active: [group("a/1", "", 2)], remaining: 2n, unscanned: 0n, done: false },
    {
      name: "something is not judged",
      active: [group("a/1", undefined, 1)],
      remaining: 1n,
      unscanned: 1n,
      done: false,
    },
    {
      name: "the rest is terminal",
      active: [group("a/1", "UNSAFE_BOUNDARY", 2)],
      remaining: 0n,
      unscanned: 0n,
      done: true,
    },
    {
      name: "the rest has expired, judged or not",
      active: [group("old/1", undefined, 2)],
      remaining: 0n,
      unscanned: 0n,
      done: true,
    },
  ])("is at its fixed point or not when $name", ({ active, remaining, unscanned, done }) => {
    expect(drainOf({ ...tally, active }, new Set(["old/1"]), 0)).toMatchObject({
      remaining,
      unscanned,
      atFixedPoint: done,
    });
  });

  it("is never at its fixed point while it closes, as a preview, or with rows of unproved tenant", () => {
    expect(drainOf({ ...tally, frozen: false }, new Set(), 0).atFixedPoint).toBe(false);
    const quarantined = { count: 1, checkpointIds: ["q"] };
    expect(drainOf({ ...tally, quarantined }, new Set(), 0)).toMatchObject({
      atFixedPoint: false,
      blockers: [{ reason: "AMBIGUOUS_THREAD_KEY", count: 1n, checkpointIds: ["q"] }],
    });
  });

  it("takes what has expired for expired, whatever else is wrong with it", () => {
    const active = [group("old/1", "CHECKPOINT_FORMAT", 3), group("a/1", "CHECKPOINT_FORMAT", 1)];
    expect(drainOf({ ...tally, active }, new Set(["old/1"]), 0)).toMatchObject({ expired: 3n, terminalUnsafe: 1n });
  });

  it("names blockers by leaf over all formats, the most frequent first, at most 20 of at most 20 ids", () => {
    const many = Array.from({ length: 22 }, (_, at) => group("a/1", `LEAF_${at}`, at + 30));
    const { blockers } = drainOf({ ...tally, active: [...many, group("b/1", "LEAF_21", 100)] }, new Set(), 0);
    expect(blockers).toHaveLength(20);
    expect(blockers[0]).toMatchObject({ reason: "LEAF_21", count: 151n });
    expect(blockers.map(({ checkpointIds }) => checkpointIds.length)).toEqual(Array.from({ length: 20 }, () => 20));
  });

  it("has a greater revision once a format has expired, though nothing was written", () => {
    const before = drainOf(tally, new Set(), 0).revision;
    expect(drainOf(tally, new Set(["old/1"]), 0).revision).toBe(before + 1n);
  });
});

describe("what a hold counts", () => {
  const hold = (freezeId: string, scope: HoldScope, freezeTime: number | undefined = 1): Hold => ({
    freezeId,
    scope,
    createTime: 1,
    freezeTime,
    epoch: 1,
  });
  const holds = [
    hold("store", { kind: "store" }),
    hold("format", { kind: "format", format: "a/1" }),
    hold("tenant", { kind: "tenant", tenantId: "acme" }),
    hold("both", { kind: "tenant_format", tenantId: "acme", format: "a/1" }),
    { ...hold("closing", { kind: "store" }), freezeTime: undefined },
  ];
  it.each([
    {
      head: { tenantId: "acme", format: "a/1" },
      since: ["store", "format", "tenant", "both", "closing"],
      unproved: [],
    },
    { head: { tenantId: "acme", format: "b/1" }, since: ["store", "tenant", "closing"], unproved: [] },
    { head: { tenantId: "umbrella", format: "a/1" }, since: ["store", "format", "closing"], unproved: [] },
    {
      head: { tenantId: undefined, format: "a/1" },
      since: ["store", "format", "closing"],
      unproved: ["tenant", "both"],
    },
    { head: { tenantId: undefined, format: "b/1" }, since: ["store", "closing"], unproved: ["tenant"] },
  ])("of $head", ({ head, since, unproved }) => {
    const counted = countedBy(holds, head);
    const ids = (as: string) => counted.filter((one) => one.as === as).map(({ freezeId }) => freezeId);
    expect([ids("since"), ids("unproved")]).toEqual([since, unproved]);
  });
});

describe("the terms that a drain is judged by", () => {
  const terms = (settings: WindowSettings, now = 0) => {
    const window = publishWindow(settings);
    if (window.kind === "invalid") throw new Error("a window of this test is wrong");
    return drainTerms(window.value, now);
  };
  const own = { "a/1": { boundaryProofs: ["p/1"] } };

  it("change with the proofs and the list, and not with an end", () => {
    const { terms: before } = terms({ formats: own });
    expect(terms({ formats: { "a/1": { boundaryProofs: ["p/2"] } } }).terms).not.toBe(before);
    expect(terms({ formats: { ...own, "b/1": {} } }).terms).not.toBe(before);
    const ended = { "a/1": { ...own["a/1"], supportedUntil: 1, supportRoute: "https://x.example" } };
    expect(terms({ formats: ended }).terms).toBe(before);
  });

  it.each([
    { now: 9, expired: [] },
    { now: 10, expired: ["a/1"] },
  ])("hold a format for expired from the end of its replay on: at $now", ({ now, expired }) => {
    const formats = { "a/1": { supportedUntil: 5, replayUntil: 10, supportRoute: "https://x.example" } };
    expect(terms({ formats }, now).expired).toEqual(expired);
  });
});
