import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuse } from "../../src/domain/outcome.ts";
import type { ConversationStore } from "../../src/store/ports.ts";
import { acknowledged, identity, issueOn, sha, turn } from "./writes.ts";

/** A store of an engine in a place of its own, which can be closed and opened again. */
export interface Place {
  readonly open: () => Promise<ConversationStore>;
  readonly remove: () => Promise<void>;
  /** Sets what the store's clock says. */
  readonly setClock: (now: number) => void;
}

const accepted = [{ format: "openai-chat/1", proof: "openai-chat/turn-complete/1" }];
const start = 1_700_000_000_000;
const hour = 3_600_000;

/** What every engine must do, whatever is under it. An engine runs it unchanged. */
export function conversationContract(engine: string, newPlace: () => Place): void {
  describe(`the conversation store on ${engine}`, () => {
    const place = newPlace();
    let store: ConversationStore;
    let session = 0;
    const fresh = (): string => {
      session += 1;
      return `fresh-${session}`;
    };
    const head = (sessionId: string) =>
      store.find({ thread: identity("acme", sessionId), checkpointId: undefined, accepted });

    beforeAll(async () => {
      store = await place.open();
    });
    afterAll(async () => {
      await store.close();
      await place.remove();
    });

    it("answers that there is no thread, by identity and by key, and creates none", async () => {
      const thread = identity("acme", "nobody");
      for (const _ of [1, 2]) {
        expect(await head("nobody")).toMatchObject({ kind: "no-thread" });
        const byKey = { thread: { by: "key" as const, key: "acme:_:nobody" }, checkpointId: undefined, accepted };
        expect(await store.find(byKey)).toMatchObject({ kind: "no-thread" });
        expect(await store.look({ thread, checkpointId: undefined })).toMatchObject({ kind: "no-thread" });
        expect(await store.list({ of: { by: "thread", thread }, after: 0, limit: 1 })).toMatchObject({
          kind: "no-thread",
        });
      }
    });

    it("begins a thread with its first checkpoint and finds it by identity and by its exact key", async () => {
      const session = fresh();
      const outcome = await issueOn(store, { session, content: turn("first") });
      expect(outcome).toMatchObject({
        kind: "ok",
        value: {
          repeated: false,
          thread: { key: `acme:_:${session}`, tenantId: "acme", head: { sequence: 1 } },
          checkpoint: { state: "active", header: { sequence: 1, origin: "issued", parentCheckpointId: undefined } },
        },
      });
      const byKey = { thread: { by: "key" as const, key: `acme:_:${session}` }, checkpointId: undefined, accepted };
      for (const found of [await head(session), await store.find(byKey)]) {
        expect(found).toMatchObject({ kind: "checkpoint", inPlace: true, holds: [], lastSafeCheckpointId: undefined });
        expect(found.kind === "checkpoint" && Buffer.from(found.payload ?? []).toString()).toBe(turn("first"));
      }
    });

    it("never begins a thread by key", async () => {
      expect(await issueOn(store, { key: "acme:_:by-key" })).toMatchObject({ leaf: { case: "threadNotFound" } });
      expect(await head("by-key")).toMatchObject({ kind: "no-thread" });
    });

    it("tells a missing checkpoint from a missing thread, and does not find another thread's", async () => {
      const [one, other] = [fresh(), fresh()];
      const ofOne = await acknowledged(store, { session: one });
      await acknowledged(store, { session: other });
      const query = { thread: identity("acme", other), checkpointId: ofOne, accepted };
      expect(await store.find(query)).toMatchObject({ kind: "no-checkpoint" });
    });

    it("moves the head by one for each acknowledged write, with its parent", async () => {
      const session = fresh();
      const ids = [await acknowledged(store, { session })];
      for (const question of ["b", "c"]) {
        const expectedHead = ids.at(-1) ?? "";
        ids.push(await acknowledged(store, { session, expectedHead, content: turn(question) }));
      }
      const listed = await store.list({ of: { by: "thread", thread: identity("acme", session) }, after: 0, limit: 10 });
      const rows = listed.kind === "page" ? listed.rows : [];
      expect(
        rows.map(({ checkpoint: { header } }) => [header.checkpointId, header.sequence, header.parentCheckpointId]),
      ).toEqual([
        [ids[0], 1, undefined],
        [ids[1], 2, ids[0]],
        [ids[2], 3, ids[1]],
      ]);
      expect(listed).toMatchObject({ next: undefined });
    });

    it.each([
      { name: "no head where there is one", expectedHead: () => undefined, leaf: "headConflict" },
      { name: "an older head", expectedHead: (ids: readonly string[]) => ids[0], leaf: "headConflict" },
      { name: "another thread's head", expectedHead: (ids: readonly string[]) => ids[2], leaf: "checkpointNotFound" },
      { name: "a head that never was", expectedHead: () => "0190-none", leaf: "checkpointNotFound" },
    ])("refuses a write that expects $name, and writes nothing", async ({ expectedHead, leaf }) => {
      const session = fresh();
      const first = await acknowledged(store, { session });
      const second = await acknowledged(store, { session, expectedHead: first, content: turn("2") });
      const elsewhere = await acknowledged(store, { session: fresh() });
      const wished = expectedHead([first, second, elsewhere]);
      const outcome = await issueOn(store, { session, content: turn("3"), ...(wished && { expectedHead: wished }) });
      expect(outcome).toMatchObject({ leaf: { case: leaf } });
      if (leaf === "headConflict") {
        expect(outcome).toMatchObject({ leaf: { value: { actualHead: second, actualSequence: 2n } } });
      }
      expect(await head(session)).toMatchObject({ checkpoint: { header: { checkpointId: second } } });
    });

    it("answers another tenant's head like one that never was, whether the thread is there or not", async () => {
      const [session, elsewhere] = [fresh(), fresh()];
      await acknowledged(store, { session });
      const foreign = await acknowledged(store, { tenant: "umbrella", session: elsewhere });
      for (const expectedHead of [foreign, "0190-none"]) {
        for (const named of [session, elsewhere]) {
          const outcome = await issueOn(store, { session: named, expectedHead, content: turn("mine") });
          const value = { case: "checkpointNotFound", value: { checkpointId: expectedHead } };
          expect(outcome).toMatchObject({ kind: "refusal", leaf: value });
        }
      }
      expect(await head(elsewhere)).toMatchObject({ kind: "no-thread" });
    });

    it("lets exactly one of eight writers at one head win, fifty times", async () => {
      const session = fresh();
      let expectedHead = await acknowledged(store, { session });
      for (let round = 0; round < 50; round += 1) {
        const writes = Array.from({ length: 8 }, (_, writer) =>
          issueOn(store, { session, expectedHead, content: turn(`${round} by ${writer}`) }),
        );
        const outcomes = await Promise.all(writes);
        const won = outcomes.flatMap((outcome) => (outcome.kind === "ok" ? [outcome.value] : []));
        expect(won).toHaveLength(1);
        const lost = outcomes.filter((outcome) => outcome.kind === "refusal" && outcome.leaf.case === "headConflict");
        expect(lost).toHaveLength(7);
        expectedHead = won[0]?.checkpoint.header.checkpointId ?? "";
      }
    });

    it("gives the first answer to every retry at once, and never a conflict", async () => {
      const session = fresh();
      const write = () => issueOn(store, { session, idempotencyKey: "same" });
      const outcomes = await Promise.all(Array.from({ length: 8 }, write));
      const ids = outcomes.map((outcome) => outcome.kind === "ok" && outcome.value.checkpoint.header.checkpointId);
      expect(new Set(ids).size).toBe(1);
      expect(outcomes.filter((outcome) => outcome.kind === "ok" && !outcome.value.repeated)).toHaveLength(1);
    });

    it("gives the first answer after the head has moved, with a given and with a derived key", async () => {
      for (const idempotencyKey of ["k", ""]) {
        const session = fresh();
        const first = await acknowledged(store, { session, idempotencyKey });
        await acknowledged(store, { session, expectedHead: first, content: turn("2") });
        expect(await issueOn(store, { session, idempotencyKey })).toMatchObject({
          kind: "ok",
          value: { repeated: true, checkpoint: { header: { checkpointId: first } } },
        });
      }
    });

    it("refuses another body under a key, and keeps keys of threads apart", async () => {
      const [one, other] = [fresh(), fresh()];
      await acknowledged(store, { session: one, idempotencyKey: "k" });
      const reused = await issueOn(store, { session: one, idempotencyKey: "k", content: turn("else") });
      expect(reused).toMatchObject({ leaf: { case: "idempotencyKeyReused", value: { idempotencyKey: "k" } } });
      expect(await issueOn(store, { session: other, idempotencyKey: "k" })).toMatchObject({
        value: { repeated: false },
      });
    });

    it("keeps the order of a write: first answer, thread, head that is not there, document, head", async () => {
      const session = fresh();
      const unfit = refuse("checkpointFormat", { format: "openai-chat/1" });
      const first = await acknowledged(store, { session, idempotencyKey: "k" });
      const leafOf = async (wish: Parameters<typeof issueOn>[1]) => {
        const outcome = await issueOn(store, { session, unfit, ...wish });
        return outcome.kind === "ok" ? outcome.value.repeated : outcome.leaf.case;
      };
      expect(await leafOf({ idempotencyKey: "k" })).toBe(true);
      expect(await leafOf({ key: "acme:_:none" })).toBe("threadNotFound");
      expect(await leafOf({ expectedHead: "never", content: turn("x") })).toBe("checkpointNotFound");
      expect(await leafOf({ content: turn("x") })).toBe("checkpointFormat");
      expect(await leafOf({ expectedHead: first, content: turn("x") })).toBe("checkpointFormat");
    });

    it("pages through a tenant and a format in the order of writing", async () => {
      const ids: string[] = [];
      for (let count = 0; count < 7; count += 1) {
        ids.push(await acknowledged(store, { tenant: "pages", session: `s${count % 3}-${count}` }));
      }
      const seen: string[] = [];
      let after: number | undefined = 0;
      while (after !== undefined) {
        const listed = await store.list({ of: { by: "tenant", tenantId: "pages" }, after, limit: 3 });
        if (listed.kind !== "page") throw new Error(listed.kind);
        seen.push(...listed.rows.map(({ checkpoint }) => checkpoint.header.checkpointId));
        after = listed.next;
      }
      expect(seen).toEqual(ids);
      const none = { of: { by: "format" as const, format: "nobody/1" }, after: 0, limit: 3 };
      expect(await store.list(none)).toMatchObject({ kind: "page", rows: [], next: undefined });
    });

    it("names the newest older checkpoint whose boundary is accepted now", async () => {
      const session = fresh();
      const dangling = JSON.stringify([{ role: "user", content: "hi" }]);
      const safe = await acknowledged(store, { session });
      const open = await acknowledged(store, { session, expectedHead: safe, content: dangling });
      const newest = await acknowledged(store, { session, expectedHead: open, content: `${dangling} ` });
      expect(await head(session)).toMatchObject({ lastSafeCheckpointId: safe });
      const thread = identity("acme", session);
      expect(await store.find({ thread, checkpointId: open, accepted })).toMatchObject({ lastSafeCheckpointId: safe });
      expect(await store.find({ thread, checkpointId: safe, accepted })).toMatchObject({
        lastSafeCheckpointId: undefined,
      });
      const ended = await store.find({ thread, checkpointId: newest, accepted: [] });
      expect(ended).toMatchObject({ lastSafeCheckpointId: undefined });
    });

    it.each([0, 1, 4095, 4096, 4097, 65_536, 65_537, 1_048_577, 32 * 1_048_576])(
      "gives %i bytes back as they came",
      async (size) => {
        const session = fresh();
        const content = new Uint8Array(randomBytes(size));
        const digest = sha(content);
        await acknowledged(store, { session, format: "opaque/1", content });
        const found = await head(session);
        if (found.kind !== "checkpoint") throw new Error(found.kind);
        expect(found.payload?.length).toBe(size);
        expect(sha(found.payload ?? "")).toBe(digest);
        expect(Buffer.from(found.checkpoint.header.payload.digest).toString("hex")).toBe(digest);
      },
    );

    it("holds everything that it acknowledged after it was closed and opened again", async () => {
      const session = fresh();
      const id = await acknowledged(store, { session, content: turn("still here") });
      const { storeId } = store;
      await store.close();
      store = await place.open();
      expect(store.storeId).toBe(storeId);
      const found = await head(session);
      expect(found).toMatchObject({ kind: "checkpoint", checkpoint: { header: { checkpointId: id } } });
      expect(found.kind === "checkpoint" && Buffer.from(found.payload ?? []).toString()).toBe(turn("still here"));
    });

    it("never begins a write whose caller has stopped waiting", async () => {
      const session = fresh();
      await expect(issueOn(store, { session, until: Date.now() - 1 })).rejects.toMatchObject({ fault: "expired" });
      expect(await head(session)).toMatchObject({ kind: "no-thread" });
    });

    it("prunes what nobody can need: payloads of old checkpoints go, rows and answers stay", async () => {
      const session = fresh();
      const ids: string[] = [];
      const history: unknown[] = [];
      for (let count = 0; count < 30; count += 1) {
        history.push({ role: "user", content: `${count} ${"x".repeat(300)}` }, { role: "assistant", content: "ok" });
        const expectedHead = ids.at(-1);
        const content = JSON.stringify(history);
        const now = start + count * 60_000;
        ids.push(await acknowledged(store, { session, now, content, ...(expectedHead && { expectedHead }) }));
      }
      place.setClock(start + 10 * hour);
      for (let round = 0; round < 5; round += 1) await store.prune();
      const thread = identity("acme", session);
      const kept = await Promise.all(
        ids.map(async (checkpointId) => {
          const found = await store.find({ thread, checkpointId, accepted });
          if (found.kind !== "checkpoint") throw new Error(found.kind);
          return found.payload === undefined ? "pruned" : sha(found.payload);
        }),
      );
      expect(kept.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "pruned"));
      const wholes = ids.slice(10).map((_, at) => sha(JSON.stringify(history.slice(0, (at + 11) * 2))));
      expect(kept.slice(10)).toEqual(wholes);
      const retried = await issueOn(store, { session, now: start, content: JSON.stringify(history.slice(0, 2)) });
      expect(retried).toMatchObject({ kind: "ok", value: { repeated: true, checkpoint: { prunedAt: undefined } } });
      place.setClock(start + 8 * 24 * hour);
      await store.prune();
      const late = await issueOn(store, { session, now: start, content: JSON.stringify(history.slice(0, 2)) });
      expect(late).toMatchObject({ leaf: { case: "headConflict" } });
    });

    it("never lets the identities of two tenants reach each other's rows, in 10,000 pairs", async () => {
      const piece = fc.constantFrom(":", "::", "%", "%3A", "%253A", "_", "a", "ab", "A", "а", "1", "01", "null", "e");
      const value = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
      const plain = value.filter((text) => !text.includes(":"));
      const who = fc.record({
        tenant: plain,
        subTenant: fc.option(
          plain.filter((text) => text !== "_"),
          { nil: undefined },
        ),
        session: value,
      });
      const pairs = fc.sample(fc.tuple(who, who), 10_000);
      const written = new Map<string, string>();
      const nameOf = (found: (typeof pairs)[number][number]) =>
        JSON.stringify([found.tenant, found.subTenant, found.session]);
      const wishes = new Map(pairs.flat().map((found) => [nameOf(found), found]));
      await Promise.all(
        [...wishes].map(async ([name, { subTenant, ...found }]) => {
          const content = JSON.stringify([{ role: "user", content: name }]);
          const outcome = await issueOn(store, {
            ...found,
            ...(subTenant && { subTenant }),
            content,
            idempotencyKey: "p",
          });
          if (outcome.kind !== "ok") throw new Error(`${name} ${outcome.leaf.case}`);
          expect(outcome.value.repeated).toBe(false);
          written.set(name, outcome.value.thread.key);
        }),
      );
      expect(new Set(written.values()).size).toBe(wishes.size);
      for (const [name, found] of wishes) {
        const read = await store.find({
          thread: identity(found.tenant, found.session, found.subTenant),
          checkpointId: undefined,
          accepted,
        });
        if (read.kind !== "checkpoint") throw new Error(`${name} ${read.kind}`);
        expect(read.thread.tenantId).toBe(found.tenant);
        expect(Buffer.from(read.payload ?? []).toString()).toBe(JSON.stringify([{ role: "user", content: name }]));
      }
    });

    it("says that it is closed", async () => {
      await store.close();
      await expect(head("any")).rejects.toMatchObject({ fault: "closed" });
      await expect(issueOn(store)).rejects.toMatchObject({ fault: "closed" });
      store = await place.open();
    });
  });
}
