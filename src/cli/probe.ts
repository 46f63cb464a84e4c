import { type ClientRequestArgs, request } from "node:http";
import type { Config } from "../config.ts";
import { CommandEnd, exitCodes } from "./exit.ts";

/** What one look at a sidecar showed. `found` is a sentence for a person. */
export interface Probe {
  readonly ready: boolean;
  readonly found: string;
}

/** Options of the commands that look at a sidecar. */
export interface ProbeOptions {
  readonly target?: string;
  readonly service?: string;
}

/** Looks once: at `--target` by gRPC health, else at the config's admin listener by /readyz. Ends the command if there is neither. */
export async function probe(options: ProbeOptions, config: Config, timeout: number): Promise<Probe> {
  if (options.target !== undefined || options.service !== undefined) {
    return probeHealth(options.target ?? config.listen[0] ?? "", options.service ?? "", timeout);
  }
  if (config.adminListen === undefined) {
    throw new CommandEnd(exitCodes.usage, "the config has no admin listener: name the sidecar with --target");
  }
  return probeReady(config.adminListen, timeout);
}

async function probeHealth(target: string, service: string, timeout: number): Promise<Probe> {
  // Loaded only here: the probe of a container runs every few seconds and mostly asks the admin listener.
  const { connect } = await import("../client.ts");
  const { Health, HealthCheckResponse_ServingStatus: Status } = await import("../gen/health/v1/health_pb.ts");
  const client = connect(target, timeout);
  const answer = await client.unary(Health.method.check, { service });
  client.close();
  const name = service || "the sidecar";
  if (answer.kind === "ended") return { ready: false, found: `${name} at ${target}: ${answer.text}` };
  const { status } = answer.value;
  return { ready: status === Status.SERVING, found: `${name} at ${target} is ${nameOf(Status, status)}` };
}

function nameOf(statuses: Readonly<Record<string, number>>, status: number): string {
  return Object.entries(statuses).find(([, number]) => number === status)?.[0] ?? String(status);
}

function probeReady(address: string, timeout: number): Promise<Probe> {
  return new Promise((found) => {
    const asking = request({ ...where(address), path: "/readyz", timeout }, (response) => {
      response.resume();
      const ready = response.statusCode === 200;
      found({ ready, found: `${address} ${ready ? "is ready" : `answers ${response.statusCode} to /readyz`}` });
    });
    asking.on("timeout", () => asking.destroy(new Error("no answer in time")));
    asking.on("error", (error) => found({ ready: false, found: `${address}: ${error.message || "nobody listens"}` }));
    asking.end();
  });
}

function where(address: string): ClientRequestArgs {
  if (address.startsWith("unix:")) return { socketPath: address.slice("unix:".length) };
  const { hostname, port } = new URL(`http://${address}`);
  return { host: hostname.replace(/^\[|\]$/g, "").replace("0.0.0.0", "127.0.0.1"), port: port || 80 };
}
