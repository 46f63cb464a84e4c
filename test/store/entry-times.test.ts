import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entryKeys } from "../../src/domain/conversation/entry-key.ts";
import { readDocument } from "../../src/domain/formats/read.ts";
import type { ConversationStore } from "../../src/store/ports.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { acknowledged } from "./writes.ts";

const folder = mkdtempSync(join(tmpdir(), "fermata-times-"));
let store: ConversationStore;
let db: DatabaseSync;
beforeAll(async () => {
  const options = { folder, separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now };
  store = (await openSqlite(options)).store;
  db = new DatabaseSync(join(folder, "fermata.sqlite"), { timeout: 5000 });
});
afterAll(async () => {
  db.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

type History = readonly string[];
const documentOf = (history: History): string => JSON.stringify(history.map((content) => ({ role: "user", content })));

/** The time of each entry of a document as the store has it. */
function timesOf(session: string, history: History): readonly unknown[] {
  const reading = readDocument("openai-chat/1", { case: "text", value: documentOf(history) }, []);
  const keys = reading.kind === "entries" ? entryKeys(reading.entries) : new Uint8Array();
  const find = db.prepare(
    `SELECT seen_time FROM entry_seen e JOIN thread t ON t.id = e.thread_id
     WHERE t.session_id = ? AND e.entry = ? AND e.repeat = ?`,
  );
  const seen = new Map<string, bigint>();
  return history.map((_, at) => {
    const key = keys.subarray(at * 32, (at + 1) * 32);
    const name = Buffer.from(key).toString("hex");
    const repeat = seen.get(name) ?? 0n;
    seen.set(name, repeat + 1n);
    return find.get(session, key, repeat)?.["seen_time"];
  });
}

/**
 * The rule, written again: each entry has the time of the first checkpoint that held it after the same entry, counting
 * which of several equal pairs it is.
 */
function expectedTimes(histories: readonly History[]): readonly number[] {
  const first = new Map<string, number>();
  const named = histories.map((history) => {
    const counts = new Map<string, number>();
    return history.map((content, at) => {
      const pair = JSON.stringify([history[at - 1] ?? null, content]);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
      return `${pair}#${counts.get(pair)}`;
    });
  });
  for (const [checkpoint, names] of named.entries()) {
    for (const name of names) if (!first.has(name)) first.set(name, timeOf(checkpoint));
  }
  return (named.at(-1) ?? []).map((name) => first.get(name) ?? Number.NaN);
}

const timeOf = (checkpoint: number): number => 1_700_000_000_000 + checkpoint * 1000;

const content = fc.constantFrom("ok", "ok", "yes", "no", "why", "");
const growth = fc.array(content, { minLength: 0, maxLength: 4 });
const change = fc.record({ keepFrom: fc.nat(6), keepTo: fc.nat(12), grow: growth });

describe("the times of a thread's entries", () => {
  it("are those of the first checkpoint that held each after the same entry, however its history grows and is rewritten", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        run += 1;
        const session = `s${run}`;
        const histories: History[] = [];
        let head: string | undefined;
        for (const [checkpoint, { keepFrom, keepTo, grow }] of changes.entries()) {
          const history = [...(histories.at(-1) ?? []).slice(Math.min(keepFrom, keepTo), keepTo), ...grow];
          histories.push(history);
          const wish = { session, content: documentOf(history), now: timeOf(checkpoint) };
          head = await acknowledged(store, head === undefined ? wish : { ...wish, expectedHead: head });
        }
        expect(timesOf(session, histories.at(-1) ?? [])).toEqual(expectedTimes(histories));
      }),
      { numRuns: 200 },
    );
  });
});
