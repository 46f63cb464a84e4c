import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqlite } from "../../src/store/sqlite/store.ts";

/** A store that is open. */
export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens the embedded store of a folder, creating it if it was never there. */
export async function openStore(folder: string) {
  const options = { separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now };
  return (await openSqlite({ folder, ...options })).store;
}

/** Where the embedded store keeps its rows. */
export function databaseOf(folder: string): string {
  return join(folder, "fermata.sqlite");
}

/**
 * Makes a store with many threads of two checkpoints each, by SQL: of ten tenants in turn, every tenth of no proved one
 * instead, and every fourth in langgraph/3. Nobody has written their payloads, so they can be counted and listed only.
 */
export async function makeLargeStore(folder: string, threads: number): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  await (await openStore(folder)).close();
  const db = new DatabaseSync(databaseOf(folder));
  db.exec("BEGIN");
  db.prepare(
    `INSERT INTO thread (id, thread_key, tenant_id, sub_tenant_id, session_id, minted, head_checkpoint_id,
                         head_sequence, create_time)
     WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?)
     SELECT i, 'k' || i, iif(i % 10 = 0, '', 't' || (i % 10)), '', iif(i % 10 = 0, '', 's' || i), i % 10 <> 0,
            'c' || i || '-2', 2, 1 FROM s`,
  ).run(BigInt(threads));
  for (const sequence of [1n, 2n]) {
    db.prepare(
      `INSERT INTO checkpoint (checkpoint_id, thread_id, sequence, envelope_version, origin, create_time, host_runtime,
         host_version, host_model, format, boundary_kind, boundary_proof, boundary_entries, payload_kind,
         payload_length, payload_digest, digest, state, chunks)
       SELECT 'c' || id || '-' || ?1, id, ?1, 1, 'issued', 1, '', '', '', iif(id % 4 = 0, 'langgraph/3', 'openai-chat/1'),
              0, '', 0, 'text', 0, x'', x'', 'active', x'' FROM thread`,
    ).run(sequence);
  }
  db.exec("COMMIT");
  db.close();
}
