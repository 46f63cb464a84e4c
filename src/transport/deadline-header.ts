import type { IncomingHttpHeaders } from "node:http";

/** The header in which a gRPC call's deadline goes on to its handler: milliseconds since 1970. What a client sends in it is dropped. */
export const deadlineHeader = "fermata-deadline";

const form = /^(\d{1,8})([HMSmun])$/;
const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The longest that a timer of Node waits: a longer one is over at once. Every call's own limit is shorter. */
const longestTimer = 2 ** 31 - 1;
const longestSeconds = `${Math.floor(longestTimer / 1_000)}S`;

/**
 * Takes `grpc-timeout` out of a call's headers and puts its deadline in, for two reasons: the wrapper answers a passed deadline with our leaf
 * instead of a bare status, and grpc-js computes it in 32 bits, so that a long time-out is over at once. A malformed one is left for grpc-js
 * to refuse, in a form that it cannot take for a good one: it would find the good part of `-1S`.
 */
export function takeDeadline(headers: IncomingHttpHeaders): void {
  delete headers[deadlineHeader];
  const timeout = headers["grpc-timeout"];
  if (timeout === undefined) return;
  const ms = timeoutMs(timeout);
  if (ms === undefined) {
    headers["grpc-timeout"] = "malformed";
    return;
  }
  delete headers["grpc-timeout"];
  headers[deadlineHeader] = String(Date.now() + ms);
}

/** Shortens the time-outs of gRPC-Web and Connect to what a timer can wait, since connect-node makes a timer of them. */
export function shortenTimeout(headers: IncomingHttpHeaders): void {
  if ((timeoutMs(headers["grpc-timeout"]) ?? 0) > longestTimer) headers["grpc-timeout"] = longestSeconds;
  const connect = headers["connect-timeout-ms"];
  if (typeof connect !== "string" || !/^\d{10}$/.test(connect)) return; // a malformed one is connect-node's to refuse
  headers["connect-timeout-ms"] = String(Math.min(Number(connect), longestTimer));
}

function timeoutMs(timeout: string | string[] | undefined): number | undefined {
  const parts = typeof timeout === "string" ? form.exec(timeout) : null;
  return parts === null ? undefined : Number(parts[1]) * (unitMs[parts[2] ?? ""] ?? 1);
}
