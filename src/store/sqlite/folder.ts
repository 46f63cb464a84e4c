import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { threadId } from "node:worker_threads";
import { StoreFault } from "../fault.ts";

/** The files of an embedded store in its data folder. */
export interface StoreFiles {
  readonly folder: string;
  readonly database: string;
  /** Holds the store's id. It tells a store that was never there from one whose file is gone or was cut to nothing. */
  readonly marker: string;
}

/** The files of the store in this folder, whether they are there or not. */
export function storeFiles(folder: string): StoreFiles {
  return { folder, database: join(folder, "fermata.sqlite"), marker: join(folder, "store-id") };
}

/** Makes the folder, for its owner only, and answers what an operator should know of the file system under it. */
export function prepareFolder({ folder }: StoreFiles, allowNetwork: boolean): readonly string[] {
  makeFolder(folder);
  refuseUnwritable(folder);
  const { type } = statfsSync(folder);
  const network = networkFileSystems.get(type);
  if (network !== undefined && !allowNetwork) {
    throw new StoreFault("network_file_system", `the data folder is on ${network}, whose locks SQLite can't rely on`);
  }
  const fleeting = fleetingFileSystems.get(type);
  return fleeting === undefined
    ? []
    : [`the data folder is on ${fleeting}: the store goes when the machine or the pod goes`];
}

function makeFolder(folder: string): void {
  try {
    makeWithParents(resolve(folder));
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    const code = String(thrown.code);
    const why = reasons.get(code);
    const message = `the data folder ${folder} cannot be made: ${why === undefined ? code : `${why} (${code})`}`;
    throw new StoreFault(why === undefined ? "io" : "folder", message, { cause: thrown });
  }
}

/** Makes a file and removes it: rights alone do not tell it of every file system. What is not told here SQLite will tell. */
function refuseUnwritable(folder: string): void {
  const probe = join(folder, `write-probe.${process.pid}.${threadId}`);
  try {
    closeSync(openSync(probe, "w", 0o600));
    rmSync(probe, { force: true });
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    const code = String(thrown.code);
    const why = reasons.get(code);
    if (why === undefined) return;
    const message = `the data folder ${folder} cannot be written: ${why} (${code})`;
    throw new StoreFault("read_only", message, { cause: thrown }); // No definite wrong: a disk may turn writable again.
  }
}

/** Level by level: on a file system that takes no folders (/proc) Node's own recursive mkdir never ends. */
function makeWithParents(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeWithParents(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if (!isFolder(folder)) throw thrown; // else another sidecar has made it meanwhile
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Why a folder can't be made that waiting does not mend: the name is wrong, or whoever gave it must give a right. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["EEXIST", "something that is no folder has its name"],
  ["ENOTDIR", "a part of its path is no folder"],
  ["ENOENT", "the file system there takes none"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ELOOP", "its path is a circle of symlinks"],
  ["EACCES", "this user has no right to"],
  ["EPERM", "this user has no right to, or the file system does not allow it"],
  ["EROFS", "the file system is read-only"],
]);

/** The id in the marker; nothing for a folder that never held a store. */
export function markedStore({ marker }: StoreFiles): string | undefined {
  return existsSync(marker) ? readFileSync(marker, "utf8").trim() : undefined;
}

/** Writes the marker so that a crash leaves the old one or the new one. */
export function markStore({ folder, marker }: StoreFiles, storeId: string): void {
  const draft = `${marker}.${process.pid}.${Date.now()}`;
  writeFileSync(draft, `${storeId}\n`, { mode: 0o600, flush: true });
  renameSync(draft, marker);
  syncFolder(folder);
}

/** Puts the names in a folder on disk: a file that was synced can still be lost with its name. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Bytes that an unprivileged process may still write where the store stands. */
export function freeBytes({ folder }: StoreFiles): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x5346414f, "AFS"],
  [0x00c36400, "CephFS"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
]);

const fleetingFileSystems: ReadonlyMap<number, string> = new Map([
  [0x01021994, "tmpfs (memory)"],
  [0x794c7630, "an overlay (a container's own layer)"],
]);
