import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { refuse } from "../domain/outcome.ts";
import { StoreFault } from "../store/fault.ts";
import { type Status, toStatus } from "./status.ts";

/** When a caller should ask again after a fault of the store. */
const storeRetryMs = 1_000;

/**
 * An ending of a protocol that is not ours (health): a code and a text, no leaf. Thrown by those handlers only; every RPC of Fermata returns
 * a refusal instead.
 */
export class BareStatus extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The status of what a handler threw: a fault of the store is STORE_UNAVAILABLE, anything else is a bug and INTERNAL, masked. */
export function statusOfThrown(thrown: unknown, requestId: string): Status {
  if (thrown instanceof BareStatus) {
    const { code, message } = thrown;
    return { code, message, bytes: new Uint8Array(), details: [], pushbackMs: undefined, reason: "" };
  }
  if (thrown instanceof StoreFault) {
    return toStatus(refuse("storeUnavailable", { fault: thrown.fault, retryDelay: durationFromMs(storeRetryMs) }));
  }
  return toStatus(refuse("internal", { requestId }));
}

/** What a log may say of something thrown. */
export interface ThrownCause {
  readonly class: string;
  readonly code?: string;
  readonly at?: string;
}

/**
 * Its class, its code and where it was thrown. Not its message: a parser's message quotes the conversation that it read; and class and code
 * only where they have the form of one, since anything may be thrown.
 */
export function causeOfThrown(thrown: unknown): ThrownCause {
  if (!(thrown instanceof Error)) return { class: typeof thrown };
  try {
    const code = "code" in thrown ? identifier(thrown.code) : undefined;
    const at = thrown.stack?.match(/([\w.-]+:\d+):\d+\)?$/m)?.[1];
    const name = identifier(thrown.name) ?? "Error";
    return { class: name, ...(code === undefined ? {} : { code }), ...(at === undefined ? {} : { at }) };
  } catch {
    return { class: "unreadable" }; // whatever reading it throws says nothing more
  }
}

function identifier(value: unknown): string | undefined {
  const text = String(value);
  return /^\w{1,40}$/.test(text) ? text : undefined;
}
