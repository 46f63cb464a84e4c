import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { turnOf } from "./histories.ts";

const venv = fileURLToPath(new URL("../.venv/bench", import.meta.url));
const requirements = fileURLToPath(new URL("./python/requirements.txt", import.meta.url));
const program = fileURLToPath(new URL("./python/sqlite_saver.py", import.meta.url));

/** Bytes on disk when LangGraph's SqliteSaver has kept the same turns. Nothing, and the reason told, where Python or its packages can't be had. */
export function sqliteSaverBytes(turns: number): number | undefined {
  const python = havePackages();
  if (python === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "fermata-bench-"));
  try {
    const file = join(folder, "turns.jsonl");
    writeFileSync(file, Array.from({ length: turns }, (_unused, turn) => JSON.stringify(turnOf(turn))).join("\n"));
    return Number(run(python, [program, file, join(folder, "saver.sqlite")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The interpreter of a virtual environment with LangGraph in it, made at the first run. */
function havePackages(): string | undefined {
  const python = join(venv, "bin", "python");
  try {
    if (!existsSync(python)) run("python3", ["-m", "venv", venv]);
    run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
    return python;
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    console.log(`skipped: LangGraph's SqliteSaver (${thrown.message})`);
    return undefined;
  }
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1024 * 1024 });
  if (error !== undefined || status !== 0)
    throw new Error(`${command} ended with ${status ?? error?.message}: ${stderr}`);
  return stdout;
}
