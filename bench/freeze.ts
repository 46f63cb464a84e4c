import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../src/store/sqlite/store.ts";
import { root } from "../test/trial/checkout.ts";
import { buildShim, canBuildShim } from "../test/trial/disk-shim.ts";
import { brokenVariant } from "../test/trial/variant.ts";
import { type Figure, median } from "./report.ts";

/** The same store without a gate: what it then costs is what the gate does not. */
const noGate = {
  name: "no gate",
  file: "src/store/sqlite/batch.ts",
  from: "const holds = readHolds(connection);",
  to: "const holds: readonly Hold[] = [];",
};

/** What the gate costs each issuance, and how long a freeze takes while others write. */
export async function benchFreeze(): Promise<readonly Figure[]> {
  return [await gateFigure(), ...(await freezeFigures())];
}

const gateRounds = 15;
const issuedEach = 2_000;
const callers = 64;
const otherHolds = 3;

async function gateFigure(): Promise<Figure> {
  const variant = brokenVariant(noGate);
  const folders = [newFolder(), newFolder()] as const;
  for (const folder of folders) await setHolds(join(folder, "data"));
  const gated = await startServer(join(root, "bench/servers/gated.ts"), [join(folders[0], "data"), String(callers)]);
  const open = await startServer(join(variant.checkout, "bench/servers/gated.ts"), [
    join(folders[1], "data"),
    String(callers),
  ]);
  const rounds: (readonly [gated: number, open: number])[] = [];
  for (let round = 0; round <= gateRounds; round += 1) {
    const order = round % 2 === 0 ? [gated, open] : [open, gated];
    const cpu = new Map<Server, number>();
    for (const server of order) cpu.set(server, (await server.ask(issuedEach)).cpu ?? Number.NaN);
    if (round > 0) rounds.push([cpu.get(gated) ?? Number.NaN, cpu.get(open) ?? Number.NaN]);
  }
  for (const server of [gated, open]) server.stop();
  variant.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  return gateFigureOf(rounds);
}

function gateFigureOf(rounds: readonly (readonly [gated: number, open: number])[]): Figure {
  const ratios = rounds.map(([gated, open]) => gated / open);
  const { mean, margin } = interval(ratios);
  const of = (side: 0 | 1): string => median(rounds.map((round) => round[side])).toFixed(0);
  return {
    name: `CPU of an issuance with the gate and ${otherHolds} holds of others, over one without`,
    rounds: ratios,
    bound: { kind: "at most", value: 1.05 },
    note: `${of(0)} over ${of(1)} microseconds; the mean is ${percent(mean - 1)}, with 95 % from ${percent(mean - margin - 1)} to ${percent(mean + margin - 1)}`,
  };
}

/** Holds that cover none of what is issued. */
async function setHolds(folder: string): Promise<void> {
  const options = { folder, separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now };
  const { store } = await openSqlite(options);
  for (let hold = 0; hold < otherHolds; hold += 1) {
    const scope = { kind: "tenant", tenantId: `other-${hold}` } as const;
    const by = { actor: "bench", reason: "bench", now: Date.now() };
    await store.freeze({ kind: "freeze", freezeId: `hold-${hold}`, scope, ...by }, Number.MAX_SAFE_INTEGER);
  }
  await store.close();
}

const busyProcesses = 4;
const callersEach = 4;
const freezeRounds = 3;
const freezesEach = 100;
const syncMs = 5;

async function freezeFigures(): Promise<readonly Figure[]> {
  if (!canBuildShim()) {
    console.log("skipped: a freeze on a slow disk needs a C compiler for Linux");
    return [];
  }
  const shim = buildShim();
  const folder = newFolder();
  const on = (script: string): Promise<Server> =>
    startServer(
      join(root, `bench/servers/${script}.ts`),
      [join(folder, "data"), String(callersEach)],
      shim.env(syncMs),
    );
  const freezer = await on("freezing");
  const writers = await Promise.all(Array.from({ length: busyProcesses }, () => on("gated")));
  const rounds: { freeze: number; write: number }[] = [];
  for (let round = 0; round <= freezeRounds; round += 1) {
    let busy = true;
    const writing = writers.map(async (writer) => {
      const took: number[] = [];
      while (busy) took.push(...(await writer.ask(callersEach * 10)).took);
      return took;
    });
    const { took } = await freezer.ask(freezesEach);
    busy = false;
    const written = (await Promise.all(writing)).flat();
    if (round > 0) rounds.push({ freeze: p99(took), write: median(written) });
  }
  for (const server of [freezer, ...writers]) server.stop();
  shim.remove();
  rmSync(folder, { recursive: true, force: true });
  const of = (name: "freeze" | "write"): string => median(rounds.map((round) => round[name])).toFixed(0);
  return [
    {
      name: `p99 of Freeze with ${busyProcesses} busy processes on a ${syncMs} ms fsync, over a single write of theirs`,
      rounds: rounds.map(({ freeze, write }) => freeze / write),
      bound: { kind: "at most", value: 20 },
      note: `${of("freeze")} over ${of("write")} ms`,
    },
  ];
}

/** A server of this bench: it is sent a number, and answers what that many took. */
interface Server {
  ask(count: number): Promise<{ readonly cpu?: number; readonly took: readonly number[] }>;
  stop(): void;
}

async function startServer(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child: ChildProcess = fork(script, args, { env: { PATH: process.env["PATH"], ...env } });
  await once(child, "message");
  return {
    async ask(count) {
      child.send(count);
      const [answer] = await once(child, "message");
      return answer;
    },
    stop: () => child.disconnect(),
  };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "fermata-bench-"));
}

/** The mean and half of its 95 % interval, by the normal approximation. */
function interval(values: readonly number[]): { readonly mean: number; readonly margin: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, margin: 1.96 * Math.sqrt(variance / values.length) };
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

function p99(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
