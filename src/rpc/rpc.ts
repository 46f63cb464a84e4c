import type { Outcome } from "../domain/outcome.ts";

/** What an RPC may know of the call that it answers. */
export interface Call {
  /** When the caller stops waiting, in milliseconds since 1970; already clamped to the method's limit. */
  readonly deadline: number;
  /** Aborted when the caller is gone, the deadline has passed or the sidecar stops. */
  readonly signal: AbortSignal;
}

/** One request, one answer. Refusals are returned; what is thrown is a fault or a bug. */
export type Unary<I, O> = (request: I, call: Call) => Outcome<O> | Promise<Outcome<O>>;

/** One request, many answers. It can refuse only before its first message. */
export type ServerStream<I, O> = (request: I, call: Call) => Promise<Outcome<AsyncIterable<O>>>;
