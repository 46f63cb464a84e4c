import { payloadDigest } from "../../domain/conversation/payload-digest.ts";
import { StoreFault } from "../fault.ts";
import type { PartQuery } from "../ports.ts";
import { unpackIds } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { bytes, integer, type Row } from "./rows.ts";

/**
 * A part of a payload. The whole was verified when its reader began; each chunk is held against its own digest again,
 * since the disk was free to change meanwhile. Throws StoreFault where a chunk is damaged or gone.
 */
export function readPart(connection: Connection, { checkpointId, from, to }: PartQuery): Uint8Array<ArrayBuffer> {
  const part = new Uint8Array(to - from);
  let at = 0;
  for (const { id, thread, length } of chunksOf(connection, checkpointId)) {
    if (at >= to) break;
    if (at + length > from) copy(part, verified(connection, id, thread), at - from);
    at += length;
  }
  if (at < to) throw gone();
  return part;
}

interface ChunkPlace {
  readonly id: bigint;
  readonly thread: bigint;
  readonly length: number;
}

/** The lengths alone are read for what is passed over. */
function* chunksOf({ statement }: Connection, checkpointId: string): Generator<ChunkPlace> {
  const row = statement("SELECT thread_id, chunks FROM checkpoint WHERE checkpoint_id = ?").get(checkpointId);
  if (row === undefined) throw gone();
  const thread = BigInt(integer(row, "thread_id"));
  const length = statement("SELECT length(bytes) AS length FROM chunk WHERE id = ? AND thread_id = ?");
  for (const id of unpackIds(bytes(row, "chunks"))) {
    const found = length.get(id, thread);
    if (found === undefined) throw gone();
    yield { id, thread, length: integer(found, "length") };
  }
}

function verified({ statement }: Connection, id: bigint, thread: bigint): Uint8Array {
  const row: Row = statement("SELECT digest, bytes FROM chunk WHERE id = ? AND thread_id = ?").get(id, thread) ?? {};
  const chunk = bytes(row, "bytes");
  if (Buffer.compare(payloadDigest(chunk), bytes(row, "digest")) === 0) return chunk;
  throw new StoreFault("corrupt", "a chunk does not have its digest any more");
}

/** Copies what overlaps; `offset` is where the chunk begins in the part, and may be before its first byte. */
function copy(part: Uint8Array, chunk: Uint8Array, offset: number): void {
  const begin = Math.max(0, -offset);
  const end = Math.min(chunk.length, part.length - offset);
  part.set(chunk.subarray(begin, end), offset + begin);
}

function gone(): StoreFault {
  return new StoreFault("corrupt", "a part of a payload is gone while it was being read");
}
