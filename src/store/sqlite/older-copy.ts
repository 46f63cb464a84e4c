import { randomUUID } from "node:crypto";
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreFault } from "../fault.ts";
import { syncFile } from "./backup.ts";
import type { Connection } from "./connection.ts";
import { freeBytes, type StoreFiles, syncFolder } from "./folder.ts";
import { makePrivate } from "./private-file.ts";
import { BINARY_SCHEMA, readMeta } from "./store-meta.ts";

/**
 * Keeps a copy of a store that is about to be brought to a newer schema, beside it: no migration can be undone. There is
 * one at most. Of several processes that start at once, one that copies too late finds the newer schema in its copy and drops it.
 */
export function keepOlderCopy(connection: Connection, files: StoreFiles): void {
  const schema = readMeta(connection)?.schema;
  if (schema === undefined || schema >= BINARY_SCHEMA) return;
  refuseWithoutRoom(files);
  const draft = `${files.database}.copying-${randomUUID()}`;
  try {
    makePrivate(draft);
    connection.db.prepare("VACUUM INTO ?").run(draft);
    if (schemaOf(draft) === schema) keep(draft, files, schema);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes what upgrades have kept, and what one that was killed has begun: it holds what has been erased since. */
export function removeOlderCopies(files: StoreFiles): void {
  remove(files, ".schema-");
  remove(files, ".copying-");
}

/** Told before anything is written: it is tried again every second. */
function refuseWithoutRoom(files: StoreFiles): void {
  const [free, size] = [freeBytes(files), statSync(files.database).size];
  if (free > size) return;
  throw new StoreFault("full", `a copy before the upgrade of the store takes ${size} bytes, and ${free} are free`);
}

function keep(draft: string, files: StoreFiles, schema: number): void {
  syncFile(draft);
  remove(files, ".schema-");
  renameSync(draft, `${files.database}.schema-${schema}`);
  syncFolder(files.folder);
}

function remove({ folder, database }: StoreFiles, kind: string): void {
  const named = `${basename(database)}${kind}`;
  for (const name of readdirSync(folder)) if (name.startsWith(named)) rmSync(join(folder, name), { force: true });
}

function schemaOf(file: string): number | undefined {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return readMeta({ db })?.schema;
  } finally {
    db.close();
  }
}
