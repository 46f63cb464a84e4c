import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { script } from "../cli/fermata.ts";

/** A sidecar in a process of its own that logs all it can, and what it logged. */
export interface Loud {
  readonly address: string;
  readonly admin: string;
  readonly said: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts one on a store in this folder, with listeners on free ports. */
export async function startLoud(folder: string): Promise<Loud> {
  const flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log-level", "debug"];
  const child = spawn(script, ["serve", ...flags, "--data-dir", join(folder, "data")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  while (!said.includes('"serving"')) {
    if (child.exitCode !== null) throw new Error(said);
    await once(child.stdout, "data");
  }
  const serving = JSON.parse(said.split("\n").find((line) => line.includes('"serving"')) ?? "{}");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  return { address: serving.listening[0], admin: serving.admin, said: () => said, stop };
}
