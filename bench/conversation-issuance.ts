import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect, type SidecarClient } from "../src/client.ts";
import { ConversationService } from "../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { buildShim, canBuildShim, type DiskShim } from "../test/trial/disk-shim.ts";
import { brokenVariant } from "../test/trial/variant.ts";
import { type Figure, median } from "./report.ts";

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
  const grouped = await startTimed(process.cwd(), shim);
  const single = await startTimed(variant.checkout, shim);
  const measured: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const idle = await idleP99(grouped);
    const many = await issuing(grouped, `g${round}`);
    const one = await issuing(single, `s${round}`);
    if (round > 0) measured.push({ grouped: many.rate, single: one.rate, idle, busy: many.p99 });
  }
  for (const sidecar of [grouped, single]) sidecar.stop();
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

interface Timed {
  readonly client: SidecarClient;
  /** The timer's delays since the last call of this. */
  delays(): Promise<readonly number[]>;
  stop(): void;
}

async function startTimed(checkout: string, shim: DiskShim): Promise<Timed> {
  const folder = mkdtempSync(join(tmpdir(), "fermata-bench-"));
  const settings = { listen: ["127.0.0.1:0"], adminListen: "none", logLevel: "warn", dataDir: join(folder, "data") };
  const child = fork(join(checkout, "bench/servers/timed-sidecar.ts"), [JSON.stringify(settings)], {
    env: { PATH: process.env["PATH"], ...shim.env(syncMs) },
  });
  const [{ address }] = await once(child, "message");
  const client = connect(address, 30_000);
  return {
    client,
    delays: () => delaysOf(child),
    stop: () => {
      client.close();
      child.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function delaysOf(child: ChildProcess): Promise<readonly number[]> {
  child.send("delays");
  const [{ delays }] = await once(child, "message");
  return delays;
}

async function idleP99(sidecar: Timed): Promise<number> {
  await sidecar.delays();
  await setTimeout(measuredFor / 2);
  return p99(await sidecar.delays());
}

async function issuing(sidecar: Timed, name: string): Promise<{ readonly rate: number; readonly p99: number }> {
  await sidecar.delays();
  const begun = performance.now();
  const counts = await Promise.all(
    Array.from({ length: callers }, (_unused, caller) =>
      issueUntil(sidecar.client, `${name}-${caller}`, begun + measuredFor),
    ),
  );
  const seconds = (performance.now() - begun) / 1_000;
  return { rate: counts.reduce((sum, count) => sum + count, 0) / seconds, p99: p99(await sidecar.delays()) };
}

/** One host with one thread: each checkpoint builds on the last one. */
async function issueUntil(client: SidecarClient, session: string, until: number): Promise<number> {
  let count = 0;
  let head: string | undefined;
  while (performance.now() < until) {
    const answer = await client.unary(ConversationService.method.issue, requestOf(session, count, head));
    if (answer.kind === "ended") throw new Error(answer.text);
    head = answer.value.checkpoint?.ref?.checkpointId;
    count += 1;
  }
  return count;
}

function requestOf(sessionId: string, count: number, head: string | undefined) {
  const turn = [
    { role: "user", content: `What does ${sessionId} ask now, in turn ${count}?` },
    { role: "assistant", content: "This is the answer." },
  ];
  return {
    key: { case: "identity" as const, value: { tenantId: "bench", sessionId } },
    document: { format: "openai-chat/1", content: { case: "text" as const, value: JSON.stringify(turn) } },
    ...(head === undefined ? {} : { expectedHead: head }),
  };
}

function p99(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
