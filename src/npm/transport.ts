import { setTimeout as wait } from "node:timers/promises";
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { Code, type StreamResponse, type Transport } from "@connectrpc/connect";
import { decode } from "./decode.ts";
import { endingHere, type FermataError, SidecarUnreachable } from "./fermata-error.ts";

/** The longest waits, in milliseconds, for calls that are given none. */
export interface Deadlines {
  /** Resolve, VerifyCalls and RegisterTools: a turn waits for them. */
  readonly palette: number;
  /** A read or a small write. */
  readonly call: number;
  /** What carries a document or closes a gate, and so may queue. */
  readonly long: number;
}

/** The defaults, alike in every client. */
export const defaultDeadlines: Deadlines = { palette: 1_000, call: 5_000, long: 10_000 };

/** How often a call that nobody answers is sent. */
export const attempts = 4;
const firstPause = 100;

/**
 * A transport whose errors are ours, whose calls have the deadline of their method, and which sends a call again that nobody answered
 * (UNAVAILABLE), if the contract says that the same call twice is as once.
 */
export function ownTransport(
  inner: Transport,
  deadlines: Deadlines,
  headers: Readonly<Record<string, string>>,
): Transport {
  return {
    async unary(method, signal, timeoutMs, header, input, context) {
      const deadline = Date.now() + (timeoutMs ?? deadlineOf(method, deadlines) ?? deadlines.long);
      const sent = joined(headers, header);
      const call = () => inner.unary(method, signal, Math.max(1, deadline - Date.now()), sent, input, context);
      return await repeated(call, { method, signal, deadline });
    },
    async stream(method, signal, timeoutMs, header, input, context) {
      const limit = timeoutMs ?? deadlineOf(method, deadlines);
      try {
        return decoded(await inner.stream(method, signal, limit, joined(headers, header), input, context), signal);
      } catch (thrown) {
        throw ended(thrown, signal);
      }
    },
  };
}

interface Repeating {
  readonly method: DescMethod;
  readonly signal: AbortSignal | undefined;
  readonly deadline: number;
}

async function repeated<T>(call: () => Promise<T>, { method, signal, deadline }: Repeating): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (thrown) {
      const error = ended(thrown, signal);
      const pause = pauseAfter(attempt, error);
      const again = attempt < attempts && isRepeatable(method) && error.code === Code.Unavailable;
      if (!again || signal?.aborted === true || Date.now() + pause >= deadline) throw error;
      await wait(pause);
    }
  }
}

/** How long to wait, in milliseconds. Of random length, so that many clients do not come back at one moment. */
export function pauseAfter(attempt: number, { retryDelay }: FermataError): number {
  return Math.max(retryDelay ?? 0, firstPause * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
}

function isRepeatable({ idempotency }: DescMethod): boolean {
  return idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
}

const longMethods = ["Issue", "RegisterReplay", "Adopt", "Judge", "Replay", "Freeze", "Thaw", "Erase", "PutSkills"];

/** Undefined for what only watches. */
function deadlineOf({ name, parent }: DescMethod, { palette, call, long }: Deadlines): number | undefined {
  if (name === "WatchDrain") return undefined;
  if (parent.name === "PaletteService") return palette;
  return longMethods.includes(name) ? long : call;
}

function joined(own: Readonly<Record<string, string>>, given: Given): Headers {
  const headers = new Headers(own);
  for (const [name, value] of new Headers(given)) headers.set(name, value);
  return headers;
}

type Given = Parameters<Transport["unary"]>[3];

function decoded<R extends Pick<StreamResponse, "message">>(response: R, signal: AbortSignal | undefined): R {
  return { ...response, message: decodedMessages(response.message, signal) };
}

async function* decodedMessages<M>(messages: AsyncIterable<M>, signal: AbortSignal | undefined): AsyncGenerator<M> {
  try {
    yield* messages;
  } catch (thrown) {
    throw ended(thrown, signal);
  }
}

/** The library calls a connection that broke in the middle canceled, as if the caller had given up. */
function ended(thrown: unknown, signal: AbortSignal | undefined): FermataError {
  const error = decode(thrown);
  if (error.code !== Code.Canceled || error.reason !== "" || signal?.aborted === true) return error;
  return new SidecarUnreachable(endingHere(Code.Unavailable, error.detail), error.cause);
}
