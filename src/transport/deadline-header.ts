import type { IncomingHttpHeaders } from "node:http";

/** The header in which a gRPC call's deadline goes on to its handler: milliseconds since 1970. What a client sends in it is dropped. */
export const deadlineHeader = "fermata-deadline";

const form = /^(\d{1,8})([HMSmun])$/;
const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Takes `grpc-timeout` out of a call's headers and puts its deadline in, for two reasons: the wrapper answers a passed deadline with our leaf
 * instead of a bare status, and grpc-js computes it in 32 bits, so that a long time-out is over at once. A malformed one stays: grpc-js refuses it.
 */
export function takeDeadline(headers: IncomingHttpHeaders): void {
  delete headers[deadlineHeader];
  const timeout = headers["grpc-timeout"];
  const parts = typeof timeout === "string" ? form.exec(timeout) : null;
  if (parts === null) return;
  delete headers["grpc-timeout"];
  headers[deadlineHeader] = String(Date.now() + Number(parts[1]) * (unitMs[parts[2] ?? ""] ?? 1));
}
