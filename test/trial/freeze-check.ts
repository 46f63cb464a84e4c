import { DatabaseSync } from "node:sqlite";

/** Looks into a store's file beside the sidecars that serve it. */
export interface StoreWatch {
  /** The newest row that has been committed. Rows get their numbers in the order of their commits. */
  newest(): number;
  /** New state of a scope that was committed after a row; each in words. */
  committedAfter(row: number, scope: WatchedScope): readonly string[];
  close(): void;
}

/** A scope by its parts; '' where it names none. */
export interface WatchedScope {
  readonly freezeId: string;
  readonly tenantId: string;
  readonly format: string;
}

/** Opens the file for reading. */
export function watchStore(file: string): StoreWatch {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  const newest = db.prepare("SELECT coalesce(max(id), 0) AS newest FROM checkpoint");
  // What may commit under a hold is left out: replays of a head that was there, into no frozen format, and rows of before.
  const after = db.prepare(
    `SELECT c.id, c.origin FROM checkpoint c JOIN thread t ON t.id = c.thread_id
     LEFT JOIN checkpoint s ON s.checkpoint_id = c.source_checkpoint_id
     WHERE c.id > ?1 AND (?2 = '' OR t.tenant_id = ?2) AND (?3 = '' OR c.format = ?3)
       AND NOT (c.origin = 'replayed' AND ?3 = '' AND s.id <= ?1)
       AND NOT (c.origin = 'adopted'
                AND c.written_time < (SELECT create_time FROM freeze_hold WHERE freeze_id = ?4))`,
  );
  return {
    newest: () => Number(newest.get()?.["newest"]),
    committedAfter: (row, { freezeId, tenantId, format }) =>
      after
        .all(row, tenantId, format, freezeId)
        .map((found) => `${found["origin"]} row ${found["id"]}, the wall stood after ${row}`),
    close: () => db.close(),
  };
}
