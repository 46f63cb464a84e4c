import { existsSync } from "node:fs";
import { isIntact, sameBytes } from "../../domain/conversation/envelope.ts";
import { payloadDigest } from "../../domain/conversation/payload-digest.ts";
import { StoreFault } from "../fault.ts";
import { type CheckpointRow, checkpointOf, type ThreadRow, threadOf } from "./checkpoint-row.ts";
import { readPayload } from "./chunks.ts";
import { type Connection, openForReading } from "./connection.ts";
import { guarded } from "./faults.ts";
import { storeFiles } from "./folder.ts";
import { integer, type Row, text } from "./rows.ts";
import { readMeta, type StoreMeta } from "./store-meta.ts";

/** What a verification read, and what of it was not as it was written. */
export interface Verification {
  readonly storeId: string;
  readonly incarnation: string;
  readonly threads: number;
  readonly checkpoints: number;
  readonly payloads: number;
  readonly pruned: number;
  /** The newest checkpoint: what was acknowledged after it is not in this store. */
  readonly highWater: { readonly checkpointId: string; readonly createTime: number } | undefined;
  readonly damage: readonly Damage[];
}

/** One thing that is wrong. Of a checkpoint it says which; never whose. */
export interface Damage {
  readonly kind: "envelope" | "payload" | "head" | "list" | "file";
  readonly checkpointId: string | undefined;
  readonly words: string;
}

/** Checks every digest, every head and the file itself of the store in a folder. Sidecars may go on serving it. */
export function verifyFolder(folder: string): Verification {
  const { database } = storeFiles(folder);
  if (!existsSync(database)) throw new StoreFault("io", "there is no store in the folder");
  const connection = openForReading(database);
  try {
    return guarded(() => verify(connection));
  } finally {
    connection.db.close();
  }
}

/** The same for a database that is open. Each page of rows is a read of its own, so that the WAL can be reset between. */
export function verify(connection: Connection): Verification {
  const meta = readMeta(connection);
  if (meta === undefined) throw new StoreFault("corrupt", "the database holds no store");
  const found = { checkpoints: 0, payloads: 0, pruned: 0 };
  const damage: Damage[] = [...fileDamage(connection), ...headDamage(connection), ...listDamage(connection, meta)];
  for (let after = 0; ; ) {
    const page = pageOf(connection, after);
    for (const { thread, row } of page) {
      found.checkpoints += 1;
      if (row.stored.prunedAt === undefined) found.payloads += 1;
      else found.pruned += 1;
      damage.push(...damageOf(connection, thread, row));
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.row.rowId;
  }
  const { storeId, incarnation } = meta;
  return { storeId, incarnation, threads: countThreads(connection), ...found, highWater: newest(connection), damage };
}

const pageSize = 256;

interface Verified {
  readonly thread: ThreadRow;
  readonly row: CheckpointRow;
}

function pageOf({ statement }: Connection, after: number): readonly Verified[] {
  const rows = statement(
    `SELECT c.*, t.id AS thread_row, t.thread_key, t.tenant_id, t.sub_tenant_id, t.session_id, t.minted,
            t.head_checkpoint_id, t.head_sequence, l.separators_found, l.separators_expected
     FROM checkpoint c JOIN thread t ON t.id = c.thread_id LEFT JOIN legacy_key l ON l.thread_id = t.id
     WHERE c.id > ? ORDER BY c.id LIMIT ?`,
  ).all(BigInt(after), BigInt(pageSize));
  return rows.map((row) => {
    const thread = threadOf(row);
    return { thread, row: checkpointOf(row, thread) };
  });
}

function damageOf(connection: Connection, thread: ThreadRow, row: CheckpointRow): readonly Damage[] {
  const { header, prunedAt } = row.stored;
  const { checkpointId, payload } = header;
  if (!isIntact(row.stored)) return [{ kind: "envelope", checkpointId, words: "its envelope fails its digest" }];
  if (prunedAt !== undefined) return [];
  const bytes = readPayload(connection, thread.rowId, row);
  const whole = bytes.length === payload.length && sameBytes(payloadDigest(bytes), payload.digest);
  return whole ? [] : [{ kind: "payload", checkpointId, words: "its payload fails its digest" }];
}

function headDamage({ statement }: Connection): readonly Damage[] {
  const rows = statement(
    `SELECT t.head_checkpoint_id FROM thread t
     WHERE NOT EXISTS (SELECT 1 FROM checkpoint c WHERE c.thread_id = t.id AND c.sequence = t.head_sequence
                         AND c.checkpoint_id = t.head_checkpoint_id)
        OR t.head_sequence <> (SELECT max(sequence) FROM checkpoint c WHERE c.thread_id = t.id)`,
  ).all();
  return rows.map((row) => ({
    kind: "head",
    checkpointId: text(row, "head_checkpoint_id"),
    words: "its thread's head is not the newest checkpoint",
  }));
}

/** What a listing by tenant would leave out. A backup of an older schema has no such list yet. */
function listDamage({ statement }: Connection, { schema }: StoreMeta): readonly Damage[] {
  if (schema < 3) return [];
  const rows = statement(
    `SELECT c.checkpoint_id FROM thread t JOIN checkpoint c ON c.thread_id = t.id
     WHERE t.tenant_id <> ''
       AND NOT EXISTS (SELECT 1 FROM tenant_checkpoint o WHERE o.tenant_id = t.tenant_id AND o.checkpoint_row = c.id)`,
  ).all();
  return rows.map((row) => ({
    kind: "list",
    checkpointId: text(row, "checkpoint_id"),
    words: "it is missing from the list of its tenant",
  }));
}

function fileDamage({ db }: Connection): readonly Damage[] {
  const rows: readonly Row[] = db.prepare("PRAGMA integrity_check(20)").all();
  const words = rows.map((row) => text(row, "integrity_check")).filter((line) => line !== "ok");
  return words.map((line) => ({ kind: "file", checkpointId: undefined, words: line }));
}

function countThreads({ statement }: Connection): number {
  return integer(statement("SELECT count(*) AS threads FROM thread").get() ?? {}, "threads");
}

function newest({ statement }: Connection): Verification["highWater"] {
  const row = statement("SELECT checkpoint_id, create_time FROM checkpoint ORDER BY id DESC LIMIT 1").get();
  if (row === undefined) return undefined;
  return { checkpointId: text(row, "checkpoint_id"), createTime: integer(row, "create_time") };
}
