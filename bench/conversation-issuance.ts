import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../test/trial/checkout.ts";
import { buildShim, canBuildShim, type DiskShim } from "../test/trial/disk-shim.ts";
import { brokenVariant } from "../test/trial/variant.ts";
import { type Figure, median } from "./report.ts";
import type { IssuingOrder } from "./servers/issuing.ts";

const rounds = 5;
const callers = 64;
const syncMs = 5;
const measuredFor = 2_000;

/** One write a transaction, as a store without group commit has it: the same code but for one number. */
const onePerTransaction = {
  name: "one transaction per request",
  file: "src/store/sqlite/writer.ts",
  from: "const batchLimit = { writes: 64,",
  to: "const batchLimit = { writes: 1,",
};

/** Issuance by many callers with group commit over the same without, on the same slow disk; and what it does to the main thread. */
export async function benchIssuance(): Promise<readonly Figure[]> {
  if (!canBuildShim()) {
    console.log("skipped: issuance on a slow disk needs a C compiler for Linux");
    return [];
  }
  const shim = buildShim();
  const variant = brokenVariant(onePerTransaction);
  const grouped = await startIssuing(root, shim);
  const single = await startIssuing(variant.checkout, shim);
  const measured: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const idle = await grouped.run({ name: "idle", callers: 0, ms: measuredFor });
    const many = await grouped.run({ name: `r${round}`, callers, ms: measuredFor });
    const one = await single.run({ name: `r${round}`, callers, ms: measuredFor });
    if (round > 0) measured.push({ grouped: many.rate, single: one.rate, idle: idle.p99, busy: many.p99 });
  }
  for (const issuing of [grouped, single]) issuing.stop();
  variant.remove();
  shim.remove();
  return figuresOf(measured);
}

interface Round {
  /** Acknowledged a second. */
  readonly grouped: number;
  readonly single: number;
  /** p99 of the timer, in milliseconds. */
  readonly idle: number;
  readonly busy: number;
}

function figuresOf(measured: readonly Round[]): readonly Figure[] {
  const of = (name: keyof Round): number => median(measured.map((round) => round[name]));
  return [
    {
      name: `issuance by ${callers} callers over one transaction per request, ${syncMs} ms fsync`,
      rounds: measured.map(({ grouped, single }) => grouped / single),
      bound: { kind: "at least", value: 15 },
      note: `${of("grouped").toFixed(0)} over ${of("single").toFixed(0)} acknowledged a second`,
    },
    {
      name: "the main thread's 1 ms timer meanwhile, p99 over its idle p99",
      rounds: measured.map(({ busy, idle }) => busy / idle),
      bound: { kind: "at most", value: 5 },
      note: `${of("busy").toFixed(1)} over ${of("idle").toFixed(1)} ms`,
    },
  ];
}

/** A process that issues on a store of its own. */
interface Issuing {
  run(order: IssuingOrder): Promise<{ readonly rate: number; readonly p99: number }>;
  stop(): void;
}

async function startIssuing(checkout: string, shim: DiskShim): Promise<Issuing> {
  const folder = mkdtempSync(join(tmpdir(), "fermata-bench-"));
  const child = fork(join(checkout, "bench/servers/issuing.ts"), [join(folder, "data")], {
    env: { PATH: process.env["PATH"], ...shim.env(syncMs) },
  });
  await once(child, "message");
  return {
    async run(order) {
      child.send(order);
      const [{ rate, delays }] = await once(child, "message");
      return { rate, p99: p99(delays) };
    },
    stop: () => {
      child.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function p99(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
