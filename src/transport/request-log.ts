import { pino } from "pino";
import type { Caller } from "./call-span.ts";
import type { Status } from "./status.ts";

/** One ended call, as the log tells it. */
export interface EndedCall {
  readonly method: string;
  /** Undefined for OK. */
  readonly status: Status | undefined;
  readonly caller: Pick<Caller, "protocol" | "traceparent">;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** Where calls are told of. Its fields are an allowlist: no content, no key, no tenant ever gets here. */
export interface RequestLog {
  ended(call: EndedCall): void;
  bug(requestId: string, cause: object): void;
  note(message: string, facts?: object): void;
  warn(message: string, facts?: object): void;
  /** Writes out what is still held back, as far as its reader takes it in half a second. The last call of a log. */
  flush(): Promise<void>;
}

/** How much is collected before it is written, and for how long at most: a write per call would cost more than many calls do. */
const bufferBytes = 8192;
const flushEvery = 250;
const lastFlushTime = 500;

/** JSON lines on stdout by pino: one a call, and one for each thing that happens to the sidecar. */
export function createRequestLog(level: string): RequestLog {
  const destination = pino.destination({ dest: 1, sync: false, minLength: bufferBytes });
  destination.on("error", () => undefined); // A full disk loses lines of the log, and no call.
  const log = pino({ level, base: null }, destination);
  setInterval(() => destination.flush(), flushEvery).unref();
  return {
    ended: ({ method, status, caller, startedAt }) => log.info(callFields(method, status, caller, startedAt), "call"),
    bug: (requestId, cause) => log.error({ requestId, cause }, "a bug ended a call"),
    note: (message, facts) => log.info(facts ?? {}, message),
    warn: (message, facts) => log.warn(facts ?? {}, message),
    flush: () => lastFlush(destination),
  };
}

/** pino flushes synchronously at an exit, and for ever if its reader is gone or stuck (sonic-boom tries a broken pipe again without end). */
function lastFlush(destination: ReturnType<typeof pino.destination>): Promise<void> {
  destination.flushSync = () => undefined;
  return new Promise((resolve) => {
    setTimeout(resolve, lastFlushTime);
    destination.flush(() => resolve());
  });
}

function callFields(
  method: string,
  status: Status | undefined,
  caller: EndedCall["caller"],
  startedAt: number,
): object {
  const trace = traceOf(caller.traceparent);
  const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
  return { method, code: status?.code ?? 0, leaf: status?.reason, ms, protocol: caller.protocol, ...trace };
}

/** The trace id of a W3C traceparent. Whatever else a client sends in that header is content. */
function traceOf(traceparent: string | undefined): { readonly trace?: string } {
  const trace = traceparent === undefined ? undefined : /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1];
  return trace === undefined ? {} : { trace };
}
