import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A disk that is slower than it is, tells what it did, and fails when it is told to: by the preloaded slow-fsync.c. */
export interface DiskShim {
  /** What a process needs in its environment to be on this disk. Each sync lasts so much longer, in milliseconds. */
  env(syncMs: number): Readonly<Record<string, string>>;
  /** Every write and successful sync of a store's files so far, in the order in which they ended. */
  events(): readonly DiskEvent[];
  /** From now on writes fail with ENOSPC or, as on a disk that turned read-only, EROFS; or syncs of the WAL with EIO; or nothing does. */
  failing(fault: "ENOSPC" | "EROFS" | "EIO" | "nothing"): void;
  remove(): void;
}

/** One call of the store to its disk. Times are of CLOCK_MONOTONIC, in nanoseconds. */
export interface DiskEvent {
  readonly what: "write" | "sync";
  /** `temporary` has no name, and stands wherever the machine has such files. */
  readonly file: "wal" | "main" | "temporary";
  readonly begin: bigint;
  readonly end: bigint;
  readonly offset: number;
  readonly length: number;
}

/** Whether this machine can have the shim: it needs Linux and a C compiler. */
export function canBuildShim(): boolean {
  return process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0;
}

/** Builds the shim into a folder of its own. */
export function buildShim(): DiskShim {
  const folder = mkdtempSync(join(tmpdir(), "fermata-shim-"));
  const [library, log, fault] = ["shim.so", "log", "fault"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]; // Three names.
  const source = fileURLToPath(new URL("./slow-fsync.c", import.meta.url));
  const built = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the shim does not build: ${built.stderr}`);
  return {
    env: (syncMs) => ({
      LD_PRELOAD: library,
      FERMATA_FSYNC_MS: String(syncMs),
      FERMATA_SYNC_LOG: log,
      FERMATA_DISK_FAULT: fault,
    }),
    events: () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n").map(eventOf) : []),
    failing: (what) => writeFileSync(fault, what),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function eventOf(line: string): DiskEvent {
  const [what, file, begin = "", end = "", offset, length] = line.split(" ");
  return {
    what: what === "sync" ? "sync" : "write",
    file: file === "wal" || file === "main" ? file : "temporary",
    begin: BigInt(begin),
    end: BigInt(end),
    offset: Number(offset),
    length: Number(length),
  };
}
