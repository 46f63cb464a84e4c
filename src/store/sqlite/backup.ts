import { closeSync, existsSync, fsyncSync, openSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StoreFault } from "../fault.ts";
import { openForReading } from "./connection.ts";
import { guarded } from "./faults.ts";
import { storeFiles, syncFolder } from "./folder.ts";
import { makePrivate } from "./private-file.ts";
import { readMeta } from "./store-meta.ts";

/**
 * Writes a consistent copy of the store in a folder to a new file and returns when it is on disk. Sidecars may go on
 * serving the store meanwhile: the copy is what had been committed when it began.
 */
export function backUp(folder: string, file: string): void {
  const { database } = storeFiles(folder);
  if (!existsSync(database)) throw new StoreFault("io", "there is no store in the folder");
  if (existsSync(file)) throw new StoreFault("io", "the file for the backup exists already");
  const connection = openForReading(database);
  let made = false;
  try {
    guarded(() => {
      if (readMeta(connection) === undefined) throw new StoreFault("corrupt", "the database holds no store");
      connection.db.exec("PRAGMA query_only = OFF"); // VACUUM INTO counts as a write, though the source is only read.
      made = makePrivate(file); // VACUUM INTO takes a file that is empty.
      connection.db.prepare("VACUUM INTO ?").run(file);
    });
  } catch (thrown) {
    if (made) rmSync(file, { force: true });
    throw thrown;
  } finally {
    connection.db.close();
  }
  syncFile(file);
  syncFolder(dirname(resolve(file)));
}

/** Puts a file's content on disk. */
export function syncFile(file: string): void {
  const handle = openSync(file, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
