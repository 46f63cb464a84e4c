import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HoldScope } from "../../src/domain/conversation/hold.ts";
import type { ConversationStore } from "../../src/store/ports.ts";
import type { Place } from "./contract.ts";
import { acknowledged, adoptOn, attributeOn, identity, issueOn, replayOn, turn } from "./writes.ts";

const far = Number.MAX_SAFE_INTEGER;
const now = 1_800_000_000_000;
const by = { actor: "op", reason: "a test", now } as const;
const onTenant = (tenantId: string): HoldScope => ({ kind: "tenant", tenantId });

/** What every engine must do for operators. Each test has tenants and holds of its own, in one store. */
export function operatorContract(engine: string, newPlace: () => Place): void {
  describe(`the operator's store on ${engine}`, () => {
    const place = newPlace();
    let store: ConversationStore;
    let count = 0;
    const fresh = (word: string): string => {
      count += 1;
      return `${word}-${count}`;
    };
    const freeze = (freezeId: string, scope: HoldScope) =>
      store.freeze({ kind: "freeze", freezeId, scope, ...by }, far);
    const thaw = (freezeId: string) => store.thaw({ kind: "thaw", freezeId, ...by }, far);
    const discard = (checkpointId: string) => store.discard({ kind: "discard", checkpointId, ...by }, far);
    const erase = (what: Parameters<ConversationStore["erase"]>[0]["what"], dryRun = false) =>
      store.erase({ kind: "erase", what, dryRun, ...by }, far);
    const drain = (freezeId: string, terms = "t") => store.drain({ of: { by: "hold", freezeId }, terms });
    const remaining = (freezeId: string) => ({ by: "remaining", freezeId, expired: [], terms: "t" }) as const;

    beforeAll(async () => {
      store = await place.open();
    });
    afterAll(async () => {
      await store.close();
      await place.remove();
    });

    describe("a hold", () => {
      it("stops issuance in its scope and nowhere else, until it is thawed", async () => {
        const [tenant, other, id] = [fresh("acme"), fresh("other"), fresh("f")];
        expect(await freeze(id, onTenant(tenant))).toMatchObject({ value: { state: "frozen", freezeTime: now } });
        const refused = await issueOn(store, { tenant });
        expect(refused).toMatchObject({ leaf: { case: "issuanceFrozen", value: { freezeId: id } } });
        expect(await issueOn(store, { tenant: other })).toMatchObject({ kind: "ok" });
        expect(await thaw(id)).toMatchObject({ value: { issuance: "open" } });
        expect(await issueOn(store, { tenant })).toMatchObject({ kind: "ok" });
      });

      it("is the same when its id comes again, and its id is over once it is thawed", async () => {
        const [scope, id] = [onTenant(fresh("acme")), fresh("f")];
        const first = await freeze(id, scope);
        expect(await store.freeze({ kind: "freeze", freezeId: id, scope, ...by, now: now + 5 }, far)).toEqual(first);
        const reused = await freeze(id, { kind: "format", format: "nobody/1" });
        expect(reused).toMatchObject({ leaf: { case: "idempotencyKeyReused" } });
        await thaw(id);
        expect(await freeze(id, scope)).toMatchObject({ value: { state: "already_thawed" } });
        expect(await thaw(id)).toMatchObject({ value: { issuance: "open" } });
        expect(await thaw(fresh("never"))).toMatchObject({ leaf: { case: "freezeNotFound" } });
      });

      it("raises the epoch when a scope becomes frozen, and not when it is once more", async () => {
        const [scope, one, two] = [onTenant(fresh("acme")), fresh("f"), fresh("f")];
        const first = await freeze(one, scope);
        const epoch = first.kind === "ok" ? first.value.epoch : 0;
        expect(await freeze(two, scope)).toMatchObject({ value: { epoch } });
        expect(await thaw(one)).toMatchObject({ value: { issuance: "frozen", epoch } });
        expect(await thaw(two)).toMatchObject({ value: { issuance: "open", epoch } });
        expect(await freeze(fresh("f"), scope)).toMatchObject({ value: { epoch: epoch + 1 } });
      });

      it("is listed while it is not thawed, the oldest first, with who set it and why", async () => {
        const ids = [fresh("f"), fresh("f")];
        const tenant = fresh("acme");
        for (const [at, freezeId] of ids.entries()) {
          await store.freeze({ kind: "freeze", freezeId, scope: onTenant(tenant), ...by, now: now - at }, far);
        }
        const own = (await store.holds()).filter(({ freezeId }) => ids.includes(freezeId));
        expect(own.map(({ freezeId }) => freezeId)).toEqual(ids.toReversed());
        expect(own[0]).toMatchObject({ actor: "op", reason: "a test", scope: onTenant(tenant), freezeTime: now - 1 });
        await thaw(ids[0] ?? "");
        const left = (await store.holds()).filter(({ freezeId }) => ids.includes(freezeId));
        expect(left.map(({ freezeId }) => freezeId)).toEqual([ids[1]]);
      });

      it("lets through what was acknowledged before, what existed before, and no new state", async () => {
        const [tenant, id] = [fresh("acme"), fresh("f")];
        const first = await acknowledged(store, { tenant, session: "known", idempotencyKey: "k" });
        await freeze(id, onTenant(tenant));
        const again = await issueOn(store, { tenant, session: "known", idempotencyKey: "k" });
        expect(again).toMatchObject({ value: { repeated: true, checkpoint: { header: { checkpointId: first } } } });
        const older = await adoptOn(store, { tenant, session: "older", writtenTime: now - 1 });
        expect(older).toMatchObject({ kind: "ok" });
        const newer = await adoptOn(store, { tenant, session: "newer", writtenTime: now });
        expect(newer).toMatchObject({ leaf: { case: "issuanceFrozen" } });
        const replay = await replayOn(store, first, { tenant, session: "known", content: turn("replayed") });
        expect(replay).toMatchObject({ kind: "ok" });
      });

      it("is never begun for a caller who has stopped waiting", async () => {
        const [scope, freezeId] = [onTenant(fresh("acme")), fresh("f")];
        const late = store.freeze({ kind: "freeze", freezeId, scope, ...by }, Date.now() - 1);
        await expect(late).rejects.toMatchObject({ fault: "expired" });
        expect((await store.holds()).some((hold) => hold.freezeId === freezeId)).toBe(false);
      });
    });

    describe("a drain", () => {
      it("is not there without its hold", async () => {
        const id = fresh("f");
        expect(await drain(id)).toBeUndefined();
        await freeze(id, onTenant(fresh("acme")));
        expect(await drain(id)).toMatchObject({ frozen: true, atFreeze: 0, active: [] });
        await thaw(id);
        expect(await drain(id)).toBeUndefined();
        expect(await store.list({ of: remaining(id), after: 0, limit: 1 })).toEqual({ kind: "no-freeze" });
      });

      it("has each head in one class, whatever becomes of it, and its revision tells", async () => {
        const [tenant, id] = [fresh("acme"), fresh("f")];
        const ids: string[] = [];
        for (const session of ["moved", "given-up", "erased", "stays"]) {
          ids.push(await acknowledged(store, { tenant, session }));
        }
        await freeze(id, onTenant(tenant));
        const seen = [await classes(id)];
        const content = turn("replayed");
        await replayOn(store, ids[0] ?? "", { tenant, session: "moved", content });
        await discard(ids[1] ?? "");
        await erase({ by: "thread", target: identity(tenant, "erased"), claimedTenantId: tenant });
        await adoptOn(store, { tenant, session: "adopted", writtenTime: 1 });
        seen.push(await classes(id));
        expect(seen.map(({ revision: _, ...numbers }) => numbers)).toEqual([
          { atFreeze: 4, adoptedSince: 0, drained: 0, discarded: 0, active: 4 },
          { atFreeze: 4, adoptedSince: 1, drained: 1, discarded: 2, active: 2 },
        ]);
        expect(seen[1]?.revision).toBeGreaterThan(seen[0]?.revision ?? 0);
      });

      it("counts what has no proved tenant beside the sum, until an operator says whose it is", async () => {
        const [tenant, id] = [fresh("acme"), fresh("f")];
        const key = `${tenant}:_:a:b:c`;
        await adoptOn(store, { key, writtenTime: 1 });
        await freeze(id, onTenant(tenant));
        const before = await drain(id);
        expect(before).toMatchObject({ atFreeze: 0, quarantined: { count: expect.any(Number) } });
        const recorded = await attributeOn(store, key, { tenantId: tenant, subTenantId: "", sessionId: "a" });
        expect(recorded).toMatchObject({ value: { thread: { tenantId: tenant, quarantine: undefined } } });
        const after = await drain(id);
        expect(after).toMatchObject({ atFreeze: 0, adoptedSince: 1 });
        expect(after?.quarantined.count).toBe((before?.quarantined.count ?? 0) - 1);
        const found = await store.look({ thread: identity(tenant, "a"), checkpointId: undefined });
        expect(found).toMatchObject({ kind: "checkpoint", thread: { key, tenantId: tenant } });
      });

      it("keeps the session that is recorded when a correction names none, unless that identity is taken", async () => {
        const [one, two, three] = [fresh("acme"), fresh("acme"), fresh("acme")];
        const key = `${one}:_:a:b:c`;
        const owner = (tenantId: string, sessionId = "") => ({ tenantId, subTenantId: "", sessionId });
        await adoptOn(store, { key, writtenTime: 1 });
        await acknowledged(store, { tenant: three, session: "a" });
        await attributeOn(store, key, owner(one, "a"));
        for (const _ of ["first", "again"]) {
          expect(await attributeOn(store, key, owner(two), one)).toMatchObject({
            value: { thread: { tenantId: two } },
          });
        }
        const found = await store.look({ thread: identity(two, "a"), checkpointId: undefined });
        expect(found).toMatchObject({ kind: "checkpoint", thread: { key } });
        expect(await attributeOn(store, key, owner(three), two)).toMatchObject({
          leaf: { case: "invalidRequest", value: { violations: [{ field: "session_id", rule: "TAKEN" }] } },
        });
      });

      it("keeps what was judged of an artifact, by the terms that it was judged by", async () => {
        const [tenant, id] = [fresh("acme"), fresh("f")];
        const [one, other] = [
          await acknowledged(store, { tenant, session: "one" }),
          await acknowledged(store, { tenant, session: "other" }),
        ];
        await freeze(id, onTenant(tenant));
        const of = { by: "hold", freezeId: id } as const;
        const unjudged = await store.unjudged({ of, terms: "t" }, 10);
        expect(unjudged.map(({ checkpointId }) => checkpointId).toSorted()).toEqual([one, other].toSorted());
        expect(await store.unjudged({ of, terms: "t" }, 1)).toHaveLength(1);
        const verdicts = [
          { checkpointId: one, leaf: "UNSAFE_BOUNDARY" },
          { checkpointId: other, leaf: "" },
          { checkpointId: "gone", leaf: "" },
        ];
        await store.keepVerdicts(verdicts, "t");
        expect(await store.unjudged({ of, terms: "t" }, 10)).toEqual([]);
        expect(await store.unjudged({ of, terms: "later" }, 10)).toHaveLength(2);
        const { active = [] } = (await drain(id)) ?? {};
        expect(active.toSorted((a, b) => (a.leaf ?? "").localeCompare(b.leaf ?? ""))).toMatchObject([
          { leaf: "", count: 1, checkpointIds: [other] },
          { leaf: "UNSAFE_BOUNDARY", count: 1, checkpointIds: [one] },
        ]);
        expect((await drain(id, "later"))?.active).toMatchObject([{ leaf: undefined, count: 2 }]);
        const listed = await store.list({ of: remaining(id), after: 0, limit: 10 });
        expect(idsOf(listed)).toEqual([other]);
      });

      it("lists what it still waits for in pages, each head once", async () => {
        const [tenant, id] = [fresh("acme"), fresh("f")];
        const ids: string[] = [];
        for (const session of ["a", "b", "c", "d", "e"]) ids.push(await acknowledged(store, { tenant, session }));
        await freeze(id, onTenant(tenant));
        await discard(ids[2] ?? "");
        const seen: string[] = [];
        for (let after: number | undefined = 0; after !== undefined; ) {
          const listed = await store.list({ of: remaining(id), after, limit: 2 });
          seen.push(...idsOf(listed));
          after = listed.kind === "page" ? listed.next : undefined;
        }
        expect(seen).toEqual(ids.filter((_, at) => at !== 2));
        const expired = { ...remaining(id), expired: ["openai-chat/1"] };
        expect(idsOf(await store.list({ of: expired, after: 0, limit: 10 }))).toEqual([]);
      });

      it("can be seen before there is a hold", async () => {
        const tenant = fresh("acme");
        await acknowledged(store, { tenant });
        const preview = await store.drain({ of: { by: "scope", scope: onTenant(tenant) }, terms: "t" });
        expect(preview).toMatchObject({ freezeId: "", frozen: false, atFreeze: 1, adoptedSince: 0, drained: 0 });
      });
    });

    describe("a discard", () => {
      it("gives a checkpoint up for good, and an Issue may follow it", async () => {
        const session = fresh("s");
        const id = await acknowledged(store, { session });
        for (const _ of [1, 2])
          expect(await discard(id)).toMatchObject({ value: { checkpoint: { state: "discarded" } } });
        const found = await store.look({ thread: identity("acme", session), checkpointId: undefined });
        expect(found).toMatchObject({ checkpoint: { state: "discarded", header: { checkpointId: id } } });
        const next = await issueOn(store, { session, expectedHead: id, content: turn("next") });
        expect(next).toMatchObject({ kind: "ok" });
        expect(await discard("never")).toMatchObject({ leaf: { case: "checkpointNotFound" } });
      });

      it("does not hide what a replay has retired", async () => {
        const session = fresh("s");
        const id = await acknowledged(store, { session });
        await replayOn(store, id, { session, content: turn("replayed") });
        expect(await discard(id)).toMatchObject({ leaf: { case: "checkpointNotFound" } });
      });
    });

    describe("a replay", () => {
      it("is registered once, in the thread of its source, which it retires", async () => {
        const [session, content] = [fresh("s"), turn("replayed")];
        const id = await acknowledged(store, { session });
        const output = await replayOn(store, id, { session, content, idempotencyKey: "one" });
        expect(output).toMatchObject({ value: { checkpoint: { header: { sequence: 2, sourceCheckpointId: id } } } });
        const source = await store.look({ thread: identity("acme", session), checkpointId: id });
        expect(source).toMatchObject({ checkpoint: { state: "retired" } });
        const again = await replayOn(store, id, { session, content, idempotencyKey: "another" });
        expect(again).toMatchObject({ value: { repeated: true } });
        const late = await replayOn(store, id, { session, content: turn("else"), idempotencyKey: "late" });
        expect(late).toMatchObject({ leaf: { case: "headConflict" } });
      });

      it("answers another tenant's head like one that never was", async () => {
        const session = fresh("s");
        const id = await acknowledged(store, { session });
        const foreign = await acknowledged(store, { tenant: fresh("umbrella"), session });
        for (const expectedHead of [foreign, "0190-none"]) {
          const outcome = await replayOn(store, id, { session, expectedHead });
          const leaf = { case: "checkpointNotFound", value: { checkpointId: expectedHead } };
          expect(outcome).toMatchObject({ kind: "refusal", leaf });
        }
      });
    });

    describe("an erasure", () => {
      it("of a thread leaves nothing of it, and the same identity begins anew", async () => {
        const [tenant, session] = [fresh("acme"), fresh("s")];
        const first = await acknowledged(store, { tenant, session, idempotencyKey: "k" });
        await acknowledged(store, { tenant, session, expectedHead: first, content: turn("2") });
        const what = { by: "thread", target: identity(tenant, session), claimedTenantId: tenant } as const;
        expect(await erase(what, true)).toEqual({ kind: "ok", value: { threads: 1, checkpoints: 2 } });
        expect(await erase(what)).toEqual({ kind: "ok", value: { threads: 1, checkpoints: 2 } });
        expect(await erase(what)).toMatchObject({ leaf: { case: "threadNotFound" } });
        expect(await issueOn(store, { tenant, session, idempotencyKey: "k" })).toMatchObject({
          value: { repeated: false },
        });
      });

      it("of a thread that is claimed for another tenant is refused", async () => {
        const session = fresh("s");
        await acknowledged(store, { session });
        const what = { by: "thread", target: identity("acme", session), claimedTenantId: "umbrella" } as const;
        expect(await erase(what)).toMatchObject({ leaf: { case: "sessionIdentity" } });
      });

      it("of a tenant takes all of its threads and nobody else's", async () => {
        const [tenant, other] = [fresh("acme"), fresh("other")];
        for (const session of ["a", "b", "c"]) {
          for (const owner of [tenant, other]) await acknowledged(store, { tenant: owner, session });
        }
        const what = { by: "tenant", tenantId: tenant } as const;
        expect(await erase(what, true)).toEqual({ kind: "ok", value: { threads: 3, checkpoints: 3 } });
        expect(await erase(what)).toEqual({ kind: "ok", value: { threads: 3, checkpoints: 3 } });
        expect(await erase(what)).toEqual({ kind: "ok", value: { threads: 0, checkpoints: 0 } });
        const left = await store.list({ of: { by: "tenant", tenantId: other }, after: 0, limit: 10 });
        expect(idsOf(left)).toHaveLength(3);
        expect(idsOf(await store.list({ of: { by: "tenant", tenantId: tenant }, after: 0, limit: 10 }))).toEqual([]);
      });
    });

    async function classes(freezeId: string) {
      const found = await drain(freezeId);
      if (found === undefined) throw new Error("there is no drain");
      const { atFreeze, adoptedSince, drained, discarded, active, revision } = found;
      return {
        atFreeze,
        adoptedSince,
        drained,
        discarded,
        active: active.reduce((sum, one) => sum + one.count, 0),
        revision,
      };
    }
  });
}

function idsOf(listed: Awaited<ReturnType<ConversationStore["list"]>>): readonly string[] {
  if (listed.kind !== "page") throw new Error(listed.kind);
  return listed.rows.map(({ checkpoint }) => checkpoint.header.checkpointId);
}
