import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A script of a test in a process of its own. */
export interface Child {
  /** Its first line on stdout. */
  readonly firstLine: string;
  /** Everything that it wrote so far, on both. */
  output(): string;
  /** Resolves when it has ended, with its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  end(): Promise<void>;
}

/** Starts a script, named from this folder, and waits for its first line. */
export async function startChild(script: string): Promise<Child> {
  const process = nodeProcess(script);
  const parts: string[] = [];
  process.stderr?.on("data", (part) => parts.push(String(part)));
  process.stdout?.on("data", (part) => parts.push(String(part)));
  const ended = once(process, "exit").then(([code]) => code as number | null);
  if (process.stdout === null) throw new Error("no stdout");
  const lines = createInterface({ input: process.stdout });
  const first = await Promise.race([once(lines, "line").then(([line]) => String(line)), ended.then(() => undefined)]);
  if (first === undefined) throw new Error(parts.join(""));
  return {
    firstLine: first,
    output: () => parts.join(""),
    ended,
    signal: (name) => void process.kill(name),
    end: async () => {
      process.kill("SIGKILL");
      await ended;
    },
  };
}

function nodeProcess(script: string): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return spawn(process.execPath, [path], { stdio: ["ignore", "pipe", "pipe"] });
}
