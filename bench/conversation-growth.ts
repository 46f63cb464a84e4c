import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { historyOf } from "./histories.ts";
import { type IssuingStore, openIssuing } from "./issuing-store.ts";
import type { Figure } from "./report.ts";
import { sqliteSaverBytes } from "./sqlite-saver.ts";

const turns = 500;
/** Turns around the two that are compared: a checkpoint of the WAL is part of what they write. */
const around = 20;
const [early, late] = [50, 480];
const hour = 3_600_000;

/** What a thread costs whose host sends the whole history with every turn: bytes written, and bytes that stand in the end. */
export async function benchGrowth(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "fermata-bench-"));
  const file = join(folder, "fermata.sqlite");
  let now = Date.parse("2027-01-01T00:00:00Z");
  const issuing = await openIssuing(folder, () => now);
  const written = await writtenByTurns(issuing, file);
  truncateWal(file);
  const whole = statSync(file).size;
  now += 2 * hour;
  await pruneAll(issuing, file);
  const pruned = statSync(file).size;
  await issuing.close();
  rmSync(folder, { recursive: true, force: true });
  const last = JSON.stringify(historyOf(turns)).length;
  return [...writtenFigures(written), prunedFigure(pruned, last), ...saverFigures({ whole, pruned, last })];
}

/** Bytes written for each Issue around the two turns. None where the machine does not count them. */
async function writtenByTurns(issuing: IssuingStore, file: string): Promise<readonly number[]> {
  const history = historyOf(turns);
  const perTurn = history.length / turns;
  const written: number[] = [];
  let before: number | undefined;
  for (let turn = 1; turn <= turns; turn += 1) {
    if ([early, late].includes(turn + around)) before = settledBytes(file);
    await issuing.issue("growth", history.slice(0, turn * perTurn));
    if (![early, late].includes(turn - around + 1)) continue;
    const after = settledBytes(file);
    if (before !== undefined && after !== undefined) written.push((after - before) / (2 * around));
  }
  return written;
}

/** What this process has written so far, with everything in its place and nothing left in the WAL. */
function settledBytes(file: string): number | undefined {
  truncateWal(file);
  if (process.platform !== "linux") return undefined;
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

function truncateWal(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** Round after round, as its timer does, until the file has stopped shrinking. */
async function pruneAll(issuing: IssuingStore, file: string): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; statSync(file).size < before; ) {
    before = statSync(file).size;
    await issuing.prune();
    truncateWal(file);
  }
}

function writtenFigures([ofEarly, ofLate]: readonly number[]): readonly Figure[] {
  if (ofEarly === undefined || ofLate === undefined) {
    console.log("skipped: only Linux counts the bytes that a process writes");
    return [];
  }
  const note = `${kilobytes(ofLate)} over ${kilobytes(ofEarly)} a checkpoint`;
  const name = `bytes written per Issue at turn ${late} over turn ${early}, the whole history each time`;
  return [{ name, rounds: [ofLate / ofEarly], bound: { kind: "at most", value: 2 }, note }];
}

function prunedFigure(pruned: number, last: number): Figure {
  const note = `${kilobytes(pruned)} over ${kilobytes(last)}`;
  const name = `the file after pruning over the last document of ${turns} turns, 20 documents kept`;
  return { name, rounds: [pruned / last], bound: { kind: "at most", value: 3 }, note };
}

function saverFigures(sizes: {
  readonly whole: number;
  readonly pruned: number;
  readonly last: number;
}): readonly Figure[] {
  const saver = sqliteSaverBytes(turns);
  if (saver === undefined) return [];
  const note = `${kilobytes(saver)} over ${kilobytes(sizes.whole)}; ours after pruning ${kilobytes(sizes.pruned)}`;
  const name = "LangGraph's SqliteSaver with the same messages over ours, bytes on disk with every checkpoint kept";
  return [{ name, rounds: [saver / sizes.whole], bound: { kind: "at least", value: 1 }, note }];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} kB`;
}
