import { type Refusal, refuse } from "../domain/outcome.ts";
import type { Call } from "../rpc/rpc.ts";
import type { Exchange } from "./exchange.ts";
import type { Pace } from "./route.ts";

/** What a server knows of one call before it is run. */
export interface Caller {
  /** When the client stops waiting, in milliseconds since 1970; undefined if it did not say. */
  readonly deadline: number | undefined;
  /** Calls back, once, if the client goes away. */
  readonly onGone: (gone: () => void) => void;
  /** Whether it came by a listener that only operators reach. */
  readonly operator: boolean;
  /** The credential that it brought; asked for only where one counts. */
  readonly authorization: () => string | undefined;
  readonly protocol: "grpc" | "grpc-web" | "connect";
  readonly traceparent: string | undefined;
  /** Its request and answer on the wire; absent where no documents go (probes). */
  readonly exchange: Exchange | undefined;
  /** Whether its messages are JSON text, in which a document is longer than it is. */
  readonly json: boolean;
}

/**
 * One running call: its deadline, and whatever else can end it before its handler does. A handler that answers at once costs neither a
 * timer nor an AbortController.
 */
export class CallSpan implements Call {
  readonly pace: Pace;
  readonly startedAt = performance.now();
  readonly deadline: number;
  readonly caller: Caller;
  private controller: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** What has ended it before its handler did. */
  interruption: Refusal | undefined;
  private onInterrupt: (() => void) | undefined;

  constructor(pace: Pace, deadline: number, caller: Caller) {
    this.pace = pace;
    this.deadline = deadline;
    this.caller = caller;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.interruption !== undefined) this.controller.abort();
    }
    return this.controller.signal;
  }

  /** From now on the deadline, a client that goes away and `interrupt` end the call, whatever its handler does. */
  watch(): void {
    this.caller.onGone(() => this.interrupt(refuse("deadlineExceeded", {})));
    if (this.pace === "probe") return;
    const left = Math.max(0, this.deadline - Date.now());
    this.timer = setTimeout(() => this.interrupt(refuse("deadlineExceeded", {})), left);
  }

  /** The outcome of the work, or what interrupted it, whichever is first. */
  bounded<T>(work: Promise<T>): Promise<T | Refusal> {
    return new Promise((resolve, reject) => {
      if (this.interruption !== undefined) resolve(this.interruption);
      this.onInterrupt = () => this.interruption !== undefined && resolve(this.interruption);
      work.then(resolve, reject);
    });
  }

  /** A message of it waits for its reader. One who has gone never asks for the next, so that nothing but an interruption ends the call then. */
  untilAsked(end: (interruption: Refusal) => void): void {
    this.onInterrupt = () => this.interruption !== undefined && end(this.interruption);
    if (this.interruption !== undefined) end(this.interruption);
  }

  /** Ends the call with this refusal unless it has ended; its handler learns it by the signal. */
  interrupt(refusal: Refusal): void {
    if (this.interruption !== undefined) return;
    this.interruption = refusal;
    this.onInterrupt?.();
    this.controller?.abort();
  }

  /** The call has ended. What its handler still does, it does for nobody. */
  end(): void {
    clearTimeout(this.timer);
    this.onInterrupt = undefined;
    this.controller?.abort();
  }
}
