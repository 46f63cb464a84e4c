import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe } from "vitest";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where tests put what they build from other languages. Not committed; kept, so that the next run is quick. */
export const built = fileURLToPath(new URL("../../.venv/interop", import.meta.url));

/** What a program left behind. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a program, where the defaults do not do. */
export interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A block of tests that need a program of this machine. Without it they are skipped, by the program's name; with CI=true a missing program
 * fails instead, so that no build is green because nothing ran.
 */
export function describeWith(program: string, probe: readonly string[], tests: () => void): void {
  const missing = spawnSync(program, probe).status !== 0 && process.env["CI"] !== "true";
  describe.skipIf(missing)(missing ? `skipped: there is no ${program} on this machine` : `with ${program}`, tests);
}

/** Runs a program to its end. It never throws for an exit code. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input, cwd = root, env = {} } = options;
  const child = promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  child.child.stdin?.on("error", () => undefined).end(input ?? ""); // It may end before it has read.
  return child.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout = "", stderr, message }) => ({
      code: typeof code === "number" ? code : -1,
      stdout,
      stderr: stderr || message, // a program that could not be started has printed nothing
    }),
  );
}

/** Runs a program that has to end with 0, and hands on what it printed. */
export async function runOk(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}
