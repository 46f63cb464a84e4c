import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../src/gen/health/v1/health_pb.ts";
import { root } from "./checkout.ts";

/** A sidecar in a process of its own, on a store that outlives it. */
export interface Started {
  /** Its Unix socket: a new one for each process, so that no client waits before it tries again. */
  readonly address: string;
  readonly pid: number;
  /** From the spawn until it says that it serves conversations, in milliseconds. */
  readonly startedIn: number;
  /** Ends it as a power cut would: no signal that it could answer. */
  kill(): Promise<void>;
  /** SIGTERM: it drains and closes its store. */
  stop(): Promise<void>;
}

/** Where a sidecar under trial has its store, and what is changed of it. */
export interface Setting {
  /** Holds the store in `data`. */
  readonly folder: string;
  /** The checkout that is run; a broken variant is a copy. */
  readonly checkout?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

let sockets = 0;

/** Starts a sidecar and waits until it serves conversations. Rejects if it ends before. */
export async function start(setting: Setting): Promise<Started> {
  const beginning = begin(setting);
  await beginning.serving;
  return beginning;
}

/** A sidecar that may not serve yet. */
export interface Beginning extends Started {
  readonly serving: Promise<void>;
}

/** Starts a sidecar and waits for nothing: it can be killed while it starts. */
export function begin({ folder, checkout = root, env = {}, flags = [] }: Setting): Beginning {
  sockets += 1;
  const path = join(folder, `${process.pid}-${sockets}.sock`);
  const begun = performance.now();
  const listen = ["--listen", `unix:${path}`, "--admin-listen", "none", "--log-level", "warn"];
  const child = spawn(
    join(checkout, "bin/fermata"),
    ["serve", ...listen, "--data-dir", join(folder, "data"), ...flags],
    {
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env["PATH"], ...env },
    },
  );
  const errors: string[] = [];
  child.stderr.on("data", (part) => errors.push(String(part)));
  const ended = once(child, "exit");
  let startedIn = Number.NaN;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const serving = async (): Promise<void> => {
    while (!(await isServing(path))) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`did not start: ${errors.join("")}`);
      await setTimeout(2);
    }
    startedIn = performance.now() - begun;
  };
  return {
    address: `unix:${path}`,
    pid: child.pid ?? 0,
    serving: serving(),
    get startedIn() {
      return startedIn;
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

/** Whether it takes connections and says that its store can be used. */
async function isServing(path: string): Promise<boolean> {
  if (!(await answers(path))) return false;
  const client = connect(`unix:${path}`, 5_000);
  try {
    const answer = await client.unary(Health.method.check, { service: ConversationService.typeName });
    return answer.kind === "ok" && answer.value.status === HealthCheckResponse_ServingStatus.SERVING;
  } finally {
    client.close();
  }
}

/** A library's client would wait a second before it tries again. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
