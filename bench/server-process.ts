import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client, credentials } from "@grpc/grpc-js";

/** A server in a process of its own, called with ready bytes: the caller's own work is on the other side of the measurement. */
export interface ServerProcess {
  /** Where it listens. */
  readonly address: string;
  /** Calls `path` this many times with so many at once, and returns the server's CPU time per call, in microseconds. */
  cpuPerCall(load: Load): Promise<number>;
  /** The server's CPU time while this is done, in microseconds. */
  cpuWhile(work: () => Promise<void>): Promise<number>;
  /** One call; the answer's bytes. */
  call(path: string, request: Buffer): Promise<Buffer>;
  stop(): void;
}

/** What is called, how often, and how many at once. */
export interface Load {
  readonly path: string;
  readonly request: Buffer;
  readonly calls: number;
  readonly concurrency: number;
}

/** Starts `bench/servers/<name>.ts`. */
export async function startServerProcess(name: string, argument: string): Promise<ServerProcess> {
  const script = fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url));
  const child = fork(script, [argument], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ address }] = await once(child, "message");
  const client = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  const call = (path: string, request: Buffer) => callOnce(client, path, request);
  const cpuWhile = async (work: () => Promise<void>): Promise<number> => {
    const before = await cpuOf(child);
    await work();
    return (await cpuOf(child)) - before;
  };
  return {
    address,
    call,
    cpuWhile,
    cpuPerCall: async ({ path, request, calls, concurrency }) => {
      let left = calls;
      const caller = async (): Promise<void> => {
        while (left-- > 0) await call(path, request);
      };
      const all = async (): Promise<void> => void (await Promise.all(Array.from({ length: concurrency }, caller)));
      return (await cpuWhile(all)) / calls;
    },
    stop: () => {
      client.close();
      child.disconnect();
    },
  };
}

function callOnce(client: Client, path: string, request: Buffer): Promise<Buffer> {
  const pass = (bytes: Buffer): Buffer => bytes;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, pass, pass, request, (fault, answer) => {
      if (fault !== null) reject(fault);
      else resolve(answer ?? Buffer.alloc(0));
    });
  });
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ cpu }] = await once(child, "message");
  return cpu;
}
