import type { Instant } from "../../domain/conversation/stored.ts";
import type { Connection } from "./connection.ts";

/** An entry that no checkpoint of the thread is known to have held, and which repeat of equal ones it is. */
export interface NewEntry {
  readonly key: Uint8Array;
  readonly repeat: number;
}

const keyBytes = 32;

/**
 * Which entries of a document its thread has not held. Looked up before the write lock is taken, since a long history
 * asks for thousands; what another writer records meanwhile is first, and stays so.
 */
export function newEntries({ statement }: Connection, thread: number | undefined, keys: Uint8Array): readonly NewEntry[] {
  const entries = counted(keys);
  if (thread === undefined) return entries;
  const known = statement("SELECT 1 FROM entry_seen WHERE thread_id = ? AND entry = ? AND repeat = ?");
  return entries.filter(({ key, repeat }) => known.get(BigInt(thread), key, BigInt(repeat)) === undefined);
}

/** Records when entries were first held. No time: they were adopted without one, and later issues keep that. */
export function recordEntries(
  { statement }: Connection,
  thread: bigint,
  entries: readonly NewEntry[],
  seen: Instant | undefined,
): void {
  const insert = statement("INSERT OR IGNORE INTO entry_seen (thread_id, entry, repeat, seen_time) VALUES (?, ?, ?, ?)");
  const time = seen === undefined ? null : BigInt(seen);
  for (const { key, repeat } of entries) insert.run(thread, key, BigInt(repeat), time);
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
