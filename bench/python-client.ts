import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Figure } from "./report.ts";
import { startServerProcess } from "./server-process.ts";

const client = fileURLToPath(new URL("../clients/python/", import.meta.url));
const python = fileURLToPath(new URL("../.venv/python-client/bin/python", import.meta.url));
const rounds = 3;

/** What the Python façade adds to a bare stub call. Skipped by name until `npm test` has made the client's virtual environment. */
export async function benchPythonClient(): Promise<readonly Figure[]> {
  if (!existsSync(python)) {
    console.log("skipped: the Python client (its virtual environment is made by npm test)");
    return [];
  }
  const sidecar = await startServerProcess(
    "sidecar",
    JSON.stringify({ listen: ["127.0.0.1:0"], store: "none", adminListen: "none" }),
  );
  const measured = Array.from({ length: rounds }, () => measure(sidecar.address));
  sidecar.stop();
  return (["sync", "asyncio"] as const).map((kind) => ({
    name: `a Python Resolve through the façade over a bare stub call, p50, ${kind}`,
    rounds: measured.map((round) => round[kind].ratio),
    bound: { kind: "at most", value: 1.3 },
    note: `${measured[0]?.[kind].facade.toFixed(0)} over ${measured[0]?.[kind].bare.toFixed(0)} µs a call`,
  }));
}

interface Measured {
  readonly bare: number;
  readonly facade: number;
  readonly ratio: number;
}

function measure(target: string): Readonly<Record<"sync" | "asyncio", Measured>> {
  const env = { ...process.env, PYTHONPATH: `${client}src` };
  const { status, stdout, stderr } = spawnSync(python, [`${client}bench/resolve.py`, target], {
    encoding: "utf8",
    env,
  });
  if (status !== 0) throw new Error(`resolve.py ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
