import { create } from "@bufbuild/protobuf";
import { ok } from "../domain/outcome.ts";
import {
  Health,
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
} from "../gen/health/v1/health_pb.ts";
import type { Call } from "../rpc/rpc.ts";
import { type Route, stream, unary } from "./route.ts";
import { BareStatus } from "./thrown.ts";

const { SERVING, NOT_SERVING, SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;
const notFound = 5;

/** What grpc.health.v1 says of each service, and of the whole (the empty name): the whole serves while it takes calls. */
export class HealthState {
  private readonly statuses: Map<string, HealthCheckResponse_ServingStatus>;
  private readonly watchers = new Set<() => void>();
  private stopped = false;

  constructor(services: readonly string[]) {
    this.statuses = new Map(["", ...services].map((name) => [name, SERVING]));
  }

  /** Undefined for a service that is not here. */
  of(service: string): HealthCheckResponse_ServingStatus | undefined {
    return this.statuses.get(service);
  }

  /** Whether a service takes calls; the empty name is the whole sidecar. */
  serves(service: string): boolean {
    return this.statuses.get(service) === SERVING;
  }

  /** Once it has stopped, nothing serves again, whatever comes back meanwhile. */
  set(service: string, serving: boolean): void {
    if (this.stopped && serving) return;
    this.statuses.set(service, serving ? SERVING : NOT_SERVING);
    for (const changed of this.watchers) changed();
  }

  /** Nothing serves any more: a shutdown has begun. */
  stop(): void {
    this.stopped = true;
    for (const service of this.statuses.keys()) this.set(service, false);
  }

  /** Resolves at the next change, or when the signal says that nobody waits any more. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.watchers.delete(settle);
        signal.removeEventListener("abort", settle);
        resolve();
      };
      this.watchers.add(settle);
      if (signal.aborted) settle();
      else signal.addEventListener("abort", settle);
    });
  }
}

/** grpc.health.v1: Check and Watch. An unknown service is the protocol's own bare NOT_FOUND, no leaf of ours. */
export function healthRoutes(state: HealthState): readonly Route[] {
  const check = unary(
    Health.method.check,
    ({ service }) => {
      const status = state.of(service);
      if (status === undefined) throw new BareStatus(notFound, "no such service");
      return ok(response(status));
    },
    "probe",
  );
  const watch = stream(Health.method.watch, async ({ service }, call) => ok(watching(state, service, call)), "probe");
  return [check, watch];
}

async function* watching(state: HealthState, service: string, call: Call): AsyncGenerator<HealthCheckResponse> {
  let said: HealthCheckResponse_ServingStatus | undefined;
  while (!call.signal.aborted) {
    const status = state.of(service) ?? SERVICE_UNKNOWN;
    if (status !== said) yield response(status);
    said = status;
    await state.changed(call.signal);
  }
}

function response(status: HealthCheckResponse_ServingStatus): HealthCheckResponse {
  return create(HealthCheckResponseSchema, { status });
}
