import type { CutPayload } from "../ports.ts";
import type { CheckpointRow } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { bytes } from "./rows.ts";

const digestBytes = 32;

/** Stores what the thread does not hold yet, and answers the row ids of all chunks in their order. */
export function storeChunks({ statement }: Connection, thread: bigint, payload: CutPayload): readonly bigint[] {
  const find = statement("SELECT id FROM chunk WHERE thread_id = ? AND digest = ?");
  const insert = statement("INSERT INTO chunk (thread_id, digest, bytes) VALUES (?, ?, ?)");
  return Array.from(payload.ends, (end, position) => {
    const digest = payload.digests.subarray(position * digestBytes, (position + 1) * digestBytes);
    const known = find.get(thread, digest)?.["id"];
    if (typeof known === "number") return BigInt(known);
    const chunk = payload.bytes.subarray(payload.ends[position - 1] ?? 0, end);
    return BigInt(insert.run(thread, digest, chunk).lastInsertRowid);
  });
}

/**
 * Puts a payload together in a buffer of its own, so that it can be handed to another thread. A chunk that is gone or
 * is too long or short leaves bytes that fail the payload's digest; a length beyond any document's reads as nothing.
 */
export function readPayload({ statement }: Connection, thread: number, row: CheckpointRow): Uint8Array<ArrayBuffer> {
  const { length } = row.stored.header.payload;
  if (length < 0 || length > largestPayload) return new Uint8Array();
  const find = statement("SELECT bytes FROM chunk WHERE id = ? AND thread_id = ?");
  const payload = new Uint8Array(length);
  let at = 0;
  for (const id of row.chunks) {
    const chunk = bytes(find.get(id, BigInt(thread)) ?? {}, "bytes");
    if (at + chunk.length > length) return new Uint8Array();
    payload.set(chunk, at);
    at += chunk.length;
  }
  return at === length ? payload : new Uint8Array();
}

/** Above the largest document that any configuration allows. */
const largestPayload = 64 * 1024 * 1024;
