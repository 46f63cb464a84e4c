import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../transport/sidecars.ts";
import { buildShim, type DiskEvent } from "./disk-shim.ts";
import { openLanes } from "./lanes.ts";
import { start } from "./sidecar.ts";

/** What a run on a slow disk has shown. */
export interface SyncFinding {
  readonly acknowledged: number;
  readonly batches: number;
  readonly walSyncs: number;
  /** Acknowledgements that came before the WAL up to the end of their batch had been synced. */
  readonly tooEarly: number;
  /** Writes to files that are not the store's own. */
  readonly elsewhere: number;
}

const lanesAtOnce = 64;
const wanted = 600;
const syncMs = 20;

/**
 * Runs many callers against a sidecar on a slow disk and holds each acknowledgement against the disk's own log: the
 * frames of its batch are written, a sync begins after the last of them and ends, and only then the answer comes.
 * Client and shim read the same clock.
 */
export async function syncTrial(checkout?: string): Promise<SyncFinding> {
  const { path: folder, remove } = temporaryFolder();
  const shim = buildShim();
  try {
    const sidecar = await start({ folder, env: shim.env(syncMs), ...(checkout === undefined ? {} : { checkout }) });
    const answered: Answered[] = [];
    const lanes = openLanes({
      name: "sync",
      count: lanesAtOnce,
      onAcknowledged: ({ acknowledged }) => {
        answered.push({ checkpointId: acknowledged.at(-1) ?? "", at: process.hrtime.bigint() });
        if (answered.length === wanted) lanes.halt();
      },
    });
    const pin = pinWal(join(folder, "data", "fermata.sqlite"));
    await lanes.write(sidecar.address);
    await sidecar.kill();
    const wal = readFileSync(join(folder, "data", "fermata.sqlite-wal"));
    pin.close();
    return judged(answered, batchesOf(wal), shim.events());
  } finally {
    shim.remove();
    remove();
  }
}

interface Answered {
  readonly checkpointId: string;
  /** Nanoseconds of CLOCK_MONOTONIC. */
  readonly at: bigint;
}

/** While a reader stands in the WAL it grows and is never written over: each frame keeps its offset. */
function pinWal(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("BEGIN; SELECT count(*) FROM store_meta");
  return db;
}

/** A batch in the WAL: the text of its pages, and the offset after its commit frame. */
interface Batch {
  readonly text: string;
  readonly end: number;
}

const walHeader = 32;
const frameHeader = 24;

/** The batches of a WAL file. A frame that names the size of the database commits all since the last one. */
function batchesOf(wal: Buffer): readonly Batch[] {
  const frame = frameHeader + wal.readUInt32BE(8);
  const batches: Batch[] = [];
  let from = walHeader;
  for (let at = walHeader; at + frame <= wal.length; at += frame) {
    if (wal.readUInt32BE(at + 4) === 0) continue;
    batches.push({ text: wal.toString("latin1", from, at + frame), end: at + frame });
    from = at + frame;
  }
  return batches;
}

function judged(answered: readonly Answered[], batches: readonly Batch[], events: readonly DiskEvent[]): SyncFinding {
  const syncs = events.filter(({ what, file }) => what === "sync" && file === "wal");
  const writes = events.filter(({ what, file }) => what === "write" && file === "wal");
  const elsewhere = events.filter(({ file }) => file === "temporary").length;
  const writtenAt = (end: number): bigint =>
    writes.reduce((latest, write) => (write.offset < end && write.end > latest ? write.end : latest), 0n);
  const durableAt = batches.map(({ end }) => {
    const written = writtenAt(end);
    return syncs.find(({ begin }) => begin >= written)?.end;
  });
  const tooEarly = answered.filter(({ checkpointId, at }) => {
    const durable = durableAt[batches.findIndex(({ text }) => text.includes(checkpointId))];
    return durable === undefined || durable > at;
  });
  return {
    acknowledged: answered.length,
    batches: batches.length,
    walSyncs: syncs.length,
    tooEarly: tooEarly.length,
    elsewhere,
  };
}
