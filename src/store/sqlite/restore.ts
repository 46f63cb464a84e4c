import { randomUUID } from "node:crypto";
import { constants, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { StoreFault } from "../fault.ts";
import { syncFile } from "./backup.ts";
import { type Connection, inTransaction, openForWriting } from "./connection.ts";
import { allThreads, countHeads } from "./drain-scope.ts";
import { guarded } from "./faults.ts";
import { markedStore, markStore, prepareFolder, type StoreFiles, storeFiles, syncFolder } from "./folder.ts";
import { migrate } from "./migrate.ts";
import { keepPrivate } from "./private-file.ts";
import { readMeta, refuseUnservable } from "./store-meta.ts";
import { type Verification, verify } from "./verify.ts";

/** A store that was restored, and the hold that it comes up with. */
export interface Restored {
  readonly freezeId: string;
  readonly verification: Verification;
}

/**
 * Makes a store in an empty folder from a backup. It gets a new incarnation and comes up frozen: what was acknowledged
 * after the backup is not in it, and whether to go on without that is an operator's decision. Every row is verified
 * before the folder holds a store at all; a backup with damage is refused.
 */
export function restore(backup: string, folder: string, now: number): Restored {
  const files = storeFiles(folder);
  if (!existsSync(backup)) throw new StoreFault("io", "there is no such backup");
  prepareFolder(files, false);
  if (existsSync(files.database) || markedStore(files) !== undefined) {
    throw new StoreFault("io", "the folder holds a store already");
  }
  const draft = `${files.database}.restoring`;
  removeDraft(draft);
  try {
    copyFileSync(backup, draft, constants.COPYFILE_EXCL); // With the rights of the backup.
    keepPrivate(draft);
    return guarded(() => settle(files, draft, now));
  } finally {
    removeDraft(draft);
  }
}

function settle(files: StoreFiles, draft: string, now: number): Restored {
  const connection = openForWriting(draft);
  let restored: Restored;
  let storeId: string;
  try {
    restored = comeUpFrozen(connection, now);
    storeId = restored.verification.storeId;
    connection.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    connection.db.close();
  }
  syncFile(draft);
  renameSync(draft, files.database);
  syncFolder(files.folder);
  markStore(files, storeId);
  return restored;
}

function comeUpFrozen(connection: Connection, now: number): Restored {
  const meta = readMeta(connection);
  if (meta === undefined) throw new StoreFault("corrupt", "the backup holds no store");
  refuseUnservable(meta);
  const before = verify(connection);
  if (before.damage.length > 0) {
    throw new StoreFault("corrupt", `the backup is damaged in ${before.damage.length} places: verify-store names them`);
  }
  migrate(connection, meta.separator, now);
  const incarnation = randomUUID();
  const freezeId = `restored-${incarnation}`;
  inTransaction(connection, () => {
    connection.statement("UPDATE store_meta SET incarnation = ?, epoch = epoch + 1 WHERE id = 1").run(incarnation);
    holdWholeStore(connection, freezeId, now);
  });
  return { freezeId, verification: { ...before, incarnation } };
}

function holdWholeStore(connection: Connection, freezeId: string, now: number): void {
  const { statement } = connection;
  const { lastInsertRowid } = statement(
    `INSERT INTO freeze_hold (freeze_id, scope, scope_kind, tenant_id, format, state, actor, reason,
                              create_time, freeze_time, epoch, at_freeze)
     SELECT ?, 'store', 'store', '', '', 'frozen', 'fermata restore', 'restored from a backup', ?, ?,
            (SELECT epoch FROM store_meta WHERE id = 1), 0`,
  ).run(freezeId, BigInt(now), BigInt(now));
  const hold = BigInt(lastInsertRowid);
  statement("INSERT INTO drain (hold_id) VALUES (?)").run(hold);
  const counted = countHeads(connection, hold, { scope: { kind: "store" }, ...allThreads });
  statement("UPDATE freeze_hold SET at_freeze = ? WHERE id = ?").run(BigInt(counted), hold);
  statement("INSERT OR REPLACE INTO gate (scope, state) VALUES ('store', 'frozen')").run();
}

function removeDraft(draft: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${draft}${suffix}`, { force: true });
}
