import type { Calls } from "./call.ts";
import type { HttpHandler } from "./connect/server.ts";
import { createGrpcServer } from "./grpc/server.ts";
import type { HealthState } from "./health.ts";
import { healthRoutes } from "./health.ts";
import { type Listener, type ListenerLimits, listen } from "./listener.ts";

/** What the admin listener is made of. */
export interface AdminParts {
  readonly address: string;
  readonly calls: Calls;
  readonly health: HealthState;
  readonly limits: ListenerLimits;
}

/** Probes only: `/livez`, `/readyz` and grpc.health.v1. No data and no reflection, so any address may reach it. */
export async function startAdmin({ address, calls, health, limits }: AdminParts): Promise<AdminListener> {
  const grpc = createGrpcServer({
    routes: healthRoutes(health),
    calls,
    reflection: undefined,
    split: () => true,
    messageBytes: 4096,
    streamsPerConnection: 16,
    headersTimeout: limits.headersTimeout,
  });
  const listener = await listen(address, { http2: grpc.inject, http1: probes(health) }, limits);
  return {
    address: listener.address,
    close: async () => {
      listener.destroy();
      grpc.destroy();
      await listener.close();
    },
  };
}

/** The bound admin listener. */
export interface AdminListener {
  readonly address: Listener["address"];
  /** Ends it at once: whoever probes a sidecar that is gone gets no answer anyway. */
  close(): Promise<void>;
}

/** Neither probe touches the store: an outage of the database must not take every agent's pod out of service. */
function probes(health: HealthState): HttpHandler {
  return (request, response) => {
    response.statusCode = statusOf(request.url, health);
    response.setHeader("content-type", "text/plain");
    response.end(`${response.statusCode === 200 ? "ok" : "no"}\n`);
  };
}

function statusOf(url: string | undefined, health: HealthState): number {
  switch (url?.split("?")[0]) {
    case "/livez":
      return 200;
    case "/readyz":
      return health.serves("") ? 200 : 503;
  }
  return 404;
}
