import type { Instant } from "../../domain/conversation/stored.ts";
import type { TimesQuery } from "../ports.ts";
import type { Connection } from "./connection.ts";
import { integer, optional } from "./rows.ts";
import { findThread } from "./threads.ts";

/** An entry that no checkpoint of the thread is known to have held, and which repeat of equal ones it is. */
export interface NewEntry {
  readonly key: Uint8Array;
  readonly repeat: number;
}

const keyBytes = 32;

/** The entries of a document that its thread had not held when they were looked up, and which thread that was. */
export interface LookedUp {
  readonly thread: number | undefined;
  readonly all: readonly NewEntry[];
  readonly fresh: readonly NewEntry[];
}

/**
 * Which entries of a document its thread has not held. Looked up before the write lock is taken, since a long history
 * asks for thousands; what another writer records meanwhile is first, and stays so.
 */
export function lookUpEntries({ statement }: Connection, thread: number | undefined, keys: Uint8Array): LookedUp {
  const all = counted(keys);
  if (thread === undefined) return { thread, all, fresh: all };
  const known = statement("SELECT 1 FROM entry_seen WHERE thread_id = ? AND entry = ? AND repeat = ?");
  const fresh = all.filter(({ key, repeat }) => known.get(BigInt(thread), key, BigInt(repeat)) === undefined);
  return { thread, all, fresh };
}

/** Records when entries were first held. No time: they were adopted without one, and later issues keep that. */
export function recordEntries(
  { statement }: Connection,
  thread: bigint,
  { looked, seen }: { readonly looked: LookedUp; readonly seen: Instant | undefined },
): void {
  const insert = statement(
    "INSERT OR IGNORE INTO entry_seen (thread_id, entry, repeat, seen_time) VALUES (?, ?, ?, ?)",
  );
  const time = seen === undefined ? null : BigInt(seen);
  const entries = looked.thread !== undefined && BigInt(looked.thread) === thread ? looked.fresh : looked.all;
  for (const { key, repeat } of entries) insert.run(thread, key, BigInt(repeat), time);
}

/** When these entries of a document were first held by its thread. A row that is missing is as unknown as a time that was never given. */
export function entryTimes(connection: Connection, query: TimesQuery): readonly (Instant | undefined)[] {
  const thread = findThread(connection, query.thread);
  const seen = connection.statement(
    "SELECT seen_time FROM entry_seen WHERE thread_id = ? AND entry = ? AND repeat = ?",
  );
  const all = counted(query.keys);
  return query.positions.map((position) => {
    const entry = all[position];
    if (thread === undefined || entry === undefined) return undefined;
    const row = seen.get(BigInt(thread.rowId), entry.key, BigInt(entry.repeat));
    return row === undefined ? undefined : optional(row, "seen_time", integer);
  });
}

function counted(keys: Uint8Array): readonly NewEntry[] {
  const seen = new Map<string, number>();
  return Array.from({ length: keys.length / keyBytes }, (_, position) => {
    const key = keys.subarray(position * keyBytes, (position + 1) * keyBytes);
    const name = Buffer.from(key).toString("latin1");
    const repeat = seen.get(name) ?? 0;
    seen.set(name, repeat + 1);
    return { key, repeat };
  });
}
