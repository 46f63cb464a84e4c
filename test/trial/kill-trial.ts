import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { type Finding, nothing, together } from "./check-thread.ts";
import { begin, type Setting, type Started, start } from "./sidecar.ts";
import { type Audit, startWriters, type Writers } from "./writers.ts";

/** What a trial came to. `wrong` is everything that must not be: a trial is passed when there is none. */
export interface KillSummary extends Finding {
  readonly cycles: number;
  readonly acknowledged: number;
  readonly threads: number;
  /** Kills that met a sidecar which did not serve yet. */
  readonly killedWhileStarting: number;
  /** Medians, in milliseconds. */
  readonly startAfterKill: number;
  readonly plainStart: number;
}

/** How many kills, and who is told after each. */
export interface KillSettings {
  readonly cycles: number;
  /** The checkout that is tried; a broken variant is a copy. */
  readonly checkout?: string;
  readonly onCycle: (cycle: number, acknowledged: number, finding: Finding) => void;
}

const processes = 2;
const lanesEach = 32;

/** A kill comes after so many acknowledgements of its cycle at most: 700 on average, and some within the first batch. */
const mostBeforeKill = 1_400;

const slowestStart = 3;

/** Kills a sidecar under load again and again, and compares what its writers were promised with what it says afterwards. */
export async function killTrial({ cycles, checkout, onCycle }: KillSettings): Promise<KillSummary> {
  const { path: folder, remove } = temporaryFolder();
  const setting = checkout === undefined ? { folder } : { folder, checkout };
  const writers = startWriters(processes, lanesEach);
  const seen: Seen = { finding: nothing, plain: [], afterKill: [], killedWhileStarting: 0 };
  try {
    await (await start(setting)).stop();
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      await runCycle(setting, writers, seen);
      onCycle(cycle, writers.acknowledged(), seen.finding);
    }
    const audit = await auditAll(setting, writers);
    return summary(cycles, seen, audit);
  } finally {
    writers.end();
    remove();
  }
}

/** What all cycles so far have seen. */
interface Seen {
  finding: Finding;
  readonly plain: number[];
  readonly afterKill: number[];
  killedWhileStarting: number;
}

async function runCycle(setting: Setting, writers: Writers, seen: Seen): Promise<void> {
  const sidecar = await start(setting);
  seen.plain.push(sidecar.startedIn);
  await killUnderLoad(sidecar, writers, seen);
  if (Math.random() < 0.25 && (await killWhileStarting(setting, median(seen.plain)))) seen.killedWhileStarting += 1;
  const restarted = await start(setting);
  seen.afterKill.push(restarted.startedIn);
  seen.finding = together(seen.finding, await writers.check(restarted.address));
  await restarted.stop();
}

async function killUnderLoad(sidecar: Started, writers: Writers, seen: Seen): Promise<void> {
  const until = writers.acknowledged() + Math.random() * mostBeforeKill;
  const stopped = writers.write(sidecar.address);
  let writing = true;
  void stopped.finally(() => {
    writing = false;
  });
  while (writing && writers.acknowledged() < until) await setTimeout(1);
  await setTimeout(Math.random() * 20); // Not only right after an acknowledgement has come.
  await sidecar.kill();
  // What a killed server leaves to its callers is a broken connection and nothing else.
  const unexpected = [...(await stopped)].filter((word) => word !== "code 14");
  seen.finding = together(seen.finding, {
    ...nothing,
    wrong: unexpected.map((word) => `a lane was stopped by ${word}`),
  });
}

/** Answers whether the kill met it before it served. */
async function killWhileStarting(setting: Setting, usual: number): Promise<boolean> {
  const beginning = begin(setting);
  const served = beginning.serving.then(
    () => true,
    () => false,
  );
  await setTimeout(Math.random() * usual * 1.1);
  await beginning.kill();
  return !(await served);
}

/** Every thread row by row, then the files themselves with nobody on them: rows that nobody asked for would show in the sums. */
async function auditAll(setting: Setting, writers: Writers): Promise<Audit> {
  const sidecar = await start(setting);
  const audit = await writers.audit(sidecar.address);
  await sidecar.kill();
  const { threads, checkpoints, damage } = verifyFolder(join(setting.folder, "data"));
  const wrong = [...audit.wrong, ...damage.map(({ kind, words }) => `${kind}: ${words}`)];
  if (threads !== audit.threads) wrong.push(`the store holds ${threads} threads, ${audit.threads} were asked for`);
  if (checkpoints !== audit.checkpoints)
    wrong.push(`the store holds ${checkpoints} checkpoints, ${audit.checkpoints} were asked for`);
  return { ...audit, wrong };
}

function summary(cycles: number, seen: Seen, audit: Audit): KillSummary {
  const { finding, killedWhileStarting } = seen;
  const [plainStart, startAfterKill] = [median(seen.plain), median(seen.afterKill)];
  const slow =
    startAfterKill > slowestStart * plainStart
      ? [`a start takes ${startAfterKill} ms after a kill, else ${plainStart} ms`]
      : [];
  const wrong = [...finding.wrong, ...audit.wrong, ...slow];
  const { checkpoints: acknowledged, threads } = audit;
  return { ...finding, wrong, cycles, acknowledged, threads, killedWhileStarting, startAfterKill, plainStart };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
