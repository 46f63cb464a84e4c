import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HoldScope } from "../../src/domain/conversation/hold.ts";
import { type Connection, openForWriting, stopWaiting } from "../../src/store/sqlite/connection.ts";
import { freezeRound, operate } from "../../src/store/sqlite/operate.ts";
import { databaseOf, makeLargeStore, openStore, type Store } from "./large-store.ts";
import { adoptOn, attributeOn, issueOn } from "./writes.ts";

const threads = 12_000;
const far = Number.MAX_SAFE_INTEGER;
const write = (freezeId: string, scope: HoldScope) =>
  ({ kind: "freeze", freezeId, scope, actor: "op", reason: "r", now: 2_000_000_000_000 }) as const;
const whole = { kind: "store" } as const;

describe("a freeze of a store that is counted in several transactions", () => {
  const root = mkdtempSync(join(tmpdir(), "fermata-parts-"));
  let folder: string;
  let store: Store;
  let beside: Connection; // Another process, as far as the file can tell.
  let made = 0;
  const round = (scope: HoldScope = whole) => freezeRound(beside, write("f", scope), far).kind;
  const tally = async () => {
    const found = await store.drain({ of: { by: "hold", freezeId: "f" }, terms: "t" });
    if (found === undefined) throw new Error("there is no drain");
    const { frozen, atFreeze, adoptedSince, drained, discarded, active, quarantined } = found;
    const classes = drained + discarded + active.reduce((sum, { count }) => sum + count, 0);
    return { frozen, atFreeze, adoptedSince, classes, quarantined: quarantined.count };
  };

  beforeEach(async () => {
    made += 1;
    folder = join(root, `${made}`);
    await makeLargeStore(folder, threads);
    store = await openStore(folder);
    beside = openForWriting(databaseOf(folder));
    stopWaiting(beside);
  });
  afterEach(async () => {
    beside.db.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    { scope: whole, atFreeze: 12_000, quarantined: 0 },
    { scope: { kind: "format", format: "langgraph/3" } as const, atFreeze: 3000, quarantined: 0 },
    { scope: { kind: "tenant", tenantId: "t7" } as const, atFreeze: 1200, quarantined: 1200 },
    {
      scope: { kind: "tenant_format", tenantId: "t2", format: "langgraph/3" } as const,
      atFreeze: 600,
      quarantined: 600,
    },
  ])("counts every head of $scope once", async ({ scope, atFreeze, quarantined }) => {
    expect(await store.freeze(write("f", scope), far)).toMatchObject({ value: { state: "frozen", epoch: 1 } });
    expect(await tally()).toEqual({ frozen: true, atFreeze, adoptedSince: 0, classes: atFreeze, quarantined });
  });

  it("is a wall from its first commit on, and never at its fixed point before the last", async () => {
    expect(round()).toBe("more");
    expect(await issueOn(store, { session: "new" })).toMatchObject({ leaf: { case: "issuanceFrozen" } });
    expect(await store.holds()).toMatchObject([{ freezeId: "f", freezeTime: undefined }]);
    const { frozen, atFreeze, classes } = await tally();
    expect([frozen, atFreeze > 0 && atFreeze < threads, classes]).toEqual([false, true, atFreeze]);
    while (round() === "more");
    expect(await tally()).toMatchObject({ frozen: true, atFreeze: threads, classes: threads });
  });

  it("counts once what is adopted, attributed, discarded and erased between its parts", async () => {
    const scope = { kind: "tenant", tenantId: "t7" } as const;
    beside.db.exec("UPDATE thread SET tenant_id = 't7' WHERE minted = 1"); // A tenant that does not fit in one part.
    expect(round(scope)).toBe("more");
    const adopted = await adoptOn(store, { tenant: "t7", session: "adopted", writtenTime: 1 });
    expect(adopted.kind).toBe("ok");
    for (const key of ["k10", "k11990"]) {
      // One that has been counted as unproved, and one that has not.
      const attributed = await attributeOn(store, key, { tenantId: "t7", subTenantId: "", sessionId: key });
      expect(attributed.kind).toBe("ok");
    }
    for (const checkpointId of ["c1-2", "c11999-2"]) {
      const discarded = await store.discard({ kind: "discard", checkpointId, actor: "op", reason: "r", now: 3 }, far);
      expect(discarded.kind).toBe("ok");
    }
    for (const key of ["k3", "k11993"]) {
      const what = { by: "thread", target: { by: "key", key }, claimedTenantId: undefined } as const;
      const erase = { kind: "erase", what, actor: "op", reason: "r", now: 3, dryRun: false } as const;
      expect((await store.erase(erase, far)).kind).toBe("ok");
    }
    while (round(scope) === "more");
    const { frozen, atFreeze, adoptedSince, classes, quarantined } = await tally();
    expect({ frozen, sum: atFreeze + adoptedSince, classes, quarantined }).toEqual({
      frozen: true,
      // All minted ones but the one that was erased before its turn; the adopted one; the two attributed ones.
      sum: 10_800 - 1 + 1 + 2,
      classes: 10_800 - 1 + 1 + 2,
      quarantined: 1200 - 2,
    });
  });

  it("that was thawed between two parts sets nothing, and its drain is gone", async () => {
    expect(round()).toBe("more");
    operate(beside, { kind: "thaw", freezeId: "f", actor: "op", reason: "r", now: 3 }, far);
    const answer = freezeRound(beside, write("f", whole), far);
    expect(answer).toMatchObject({ kind: "answer", outcome: { value: { state: "already_thawed" } } });
    expect(await store.drain({ of: { by: "hold", freezeId: "f" }, terms: "t" })).toBeUndefined();
    expect(await issueOn(store, { session: "new" })).toMatchObject({ kind: "ok" });
    await store.prune();
    expect(beside.db.prepare("SELECT count(*) AS rows FROM drain_artifact").get()).toEqual({ rows: 0 });
  });

  it("goes on where a call that died has stopped, also when two go on at once", async () => {
    expect(round()).toBe("more");
    const outcomes = await Promise.all([1, 2].map(() => store.freeze(write("f", whole), far)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ value: { state: "frozen", epoch: 1 } });
    expect(await tally()).toMatchObject({ atFreeze: threads, classes: threads });
  });

  it("stays closing when its caller stops waiting, and the same call ends it", async () => {
    expect(round()).toBe("more");
    await expect(store.freeze(write("f", whole), Date.now() - 1)).rejects.toMatchObject({ fault: "expired" });
    expect(await issueOn(store, { session: "new" })).toMatchObject({ leaf: { case: "issuanceFrozen" } });
    expect(await store.freeze(write("f", whole), far)).toMatchObject({ value: { state: "frozen" } });
  });

  it("lets others write between its parts, and so does the thaw", async () => {
    const tenant = { kind: "tenant", tenantId: "t7" } as const;
    await store.freeze(write("f", whole), far);
    const thaw = store.thaw({ kind: "thaw", freezeId: "f", actor: "op", reason: "r", now: 3 }, far);
    const freezing = store.freeze(write("g", tenant), far);
    expect(await issueOn(store, { session: "meanwhile" })).toMatchObject({ kind: "ok" });
    expect((await Promise.all([thaw, freezing])).map(({ kind }) => kind)).toEqual(["ok", "ok"]);
    expect(beside.db.prepare("SELECT DISTINCT counted FROM drain_artifact ORDER BY counted").all()).toEqual([
      { counted: "at_freeze" },
      { counted: "unproved" },
    ]);
  });
});
