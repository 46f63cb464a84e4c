import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/**
 * Makes a database that is not there yet for its owner only, and takes the others' rights from one that is, with its WAL.
 * SQLite gives what it makes beside a database the same rights.
 */
export function keepPrivate(file: string): void {
  if (makePrivate(file)) return;
  for (const end of ["", "-wal", "-shm"]) takeRights(`${file}${end}`);
}

/** Makes an empty file for its owner only, and answers whether it did. What can't be made SQLite will tell. */
export function makePrivate(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600)); // Never opens what is there: closing it would end SQLite's locks on it.
    return true;
  } catch {
    return false;
  }
}

function takeRights(file: string): void {
  try {
    const { mode } = statSync(file);
    if ((mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch {
    // Not there, not ours, or on a file system that takes no rights.
  }
}
