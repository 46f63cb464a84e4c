import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Target } from "../../src/domain/conversation/thread-key.ts";
import { prepareDocument } from "../../src/store/document-work.ts";
import type { ConversationStore } from "../../src/store/ports.ts";
import type { Place } from "./contract.ts";
import { acknowledged, adoptOn, identity } from "./writes.ts";

const start = 1_700_000_000_000;

/** What every engine must do for the readers of payloads in parts and of the times of entries. */
export function readingContract(engine: string, newPlace: () => Place): void {
  describe(`parts and times on ${engine}`, () => {
    const place = newPlace();
    let store: ConversationStore;
    const times = (thread: Target, content: string, positions: readonly number[]) =>
      store.times({ thread, keys: keysOf(content), positions });

    beforeAll(async () => {
      store = await place.open();
    });
    afterAll(async () => {
      await store.close();
      await place.remove();
    });

    it("gives each part of a payload as it is, also across chunks, and the whole", async () => {
      const content = new Uint8Array(randomBytes(300_000));
      const checkpointId = await acknowledged(store, { session: "parts", format: "opaque/1", content });
      const edges = [0, 1, 4096, 65_535, 65_536, 150_001, 299_999, 300_000];
      for (const from of edges) {
        for (const to of edges.filter((edge) => edge >= from)) {
          const part = await store.part({ checkpointId, from, to });
          expect(Buffer.compare(part, content.subarray(from, to))).toBe(0);
        }
      }
    });

    it("throws a fault for a part that is not there, and for a checkpoint that is gone", async () => {
      const checkpointId = await acknowledged(store, {
        session: "short",
        format: "opaque/1",
        content: new Uint8Array(9),
      });
      await expect(store.part({ checkpointId, from: 0, to: 10 })).rejects.toMatchObject({ fault: "corrupt" });
      await expect(store.part({ checkpointId: "never", from: 0, to: 1 })).rejects.toMatchObject({ fault: "corrupt" });
    });

    it("keeps for each entry the time of the first checkpoint that held it", async () => {
      const thread = identity("acme", "times");
      const first = await acknowledged(store, { session: "times", now: start, content: history("a", "b") });
      const longer = history("a", "b", "c", "d");
      const next = { session: "times", now: start + 60_000, content: longer, expectedHead: first };
      await acknowledged(store, next);
      expect(await times(thread, longer, [0, 1, 2, 3])).toEqual([start, start, start + 60_000, start + 60_000]);
      expect(await times(thread, longer, [3, 0])).toEqual([start + 60_000, start]);
    });

    it("tells equal entries apart by their order", async () => {
      const thread = identity("acme", "equal");
      const first = await acknowledged(store, { session: "equal", now: start, content: history("x", "x", "x") });
      const longer = history("x", "x", "x", "x");
      await acknowledged(store, { session: "equal", now: start + 5, content: longer, expectedHead: first });
      expect(await times(thread, longer, [1, 2, 3])).toEqual([start, start, start + 5]);
    });

    it("does not know the time of an entry that was adopted without one, nor of one that nobody held", async () => {
      const content = history("a");
      await adoptOn(store, { session: "untimed", now: start, content });
      await adoptOn(store, { session: "timed", now: start, content, writtenTime: 77 });
      expect(await times(identity("acme", "untimed"), content, [0])).toEqual([undefined]);
      expect(await times(identity("acme", "timed"), content, [0])).toEqual([77]);
      expect(await times(identity("acme", "timed"), history("z"), [0, 5])).toEqual([undefined, undefined]);
      expect(await times(identity("acme", "nobody"), content, [0])).toEqual([undefined]);
    });

    it("keeps the times of each thread apart", async () => {
      const content = history("same");
      await acknowledged(store, { tenant: "one", session: "s", now: start, content });
      await acknowledged(store, { tenant: "two", session: "s", now: start + 9, content });
      expect(await times(identity("one", "s"), content, [0])).toEqual([start]);
      expect(await times(identity("two", "s"), content, [0])).toEqual([start + 9]);
    });
  });
}

function history(...words: readonly string[]): string {
  return JSON.stringify(words.map((content) => ({ role: "user", content })));
}

function keysOf(content: string): Uint8Array<ArrayBuffer> {
  const document = { format: "openai-chat/1", content: { case: "text", value: content } } as const;
  const judged = { ...document, claimedProof: undefined, listed: [], published: new Set<string>() };
  return prepareDocument(judged).payload.entries;
}
