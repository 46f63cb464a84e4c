import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The script that people start. */
export const script = `${root}bin/fermata`;

/** A file of the repository by its path in it. */
export function inRoot(path: string): string {
  return `${root}${path}`;
}

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is started with. */
export interface Start {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly command?: string;
}

/** Runs the real command line to its end. Of the environment it gets what is given here, HOME and PATH. */
export function fermata(
  args: readonly string[],
  { stdin = "", env = {}, cwd, command = script }: Start = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
  });
  const read = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    read.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    read.stderr += text;
  });
  child.stdin.on("error", () => {}); // a command that does not read may end first
  child.stdin.end(stdin);
  return new Promise((ended, failed) => {
    child.on("error", failed).on("close", (code) => ended({ code, ...read }));
  });
}
