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
 * Its class, its code and where it was thrown. Not its message: a parser's message quotes the conversation that it read. Nor its name, which
 * anything may be written to; and a code only in the form of those of Node and the databases.
 */
export function causeOfThrown(thrown: unknown): ThrownCause {
  if (!(thrown instanceof Error)) return { class: typeof thrown };
  try {
    const code = "code" in thrown && codeForm.test(String(thrown.code)) ? { code: String(thrown.code) } : {};
    const frames = thrown.stack?.replace(thrown.message, "");
    const at = frames?.match(/^ +at .*?([\w.-]+:\d+):\d+\)?$/m)?.[1];
    return { class: thrown.constructor.name, ...code, ...(at === undefined ? {} : { at }) };
  } catch {
    return { class: "unreadable" }; // whatever reading it throws says nothing more
  }
}

const codeForm = /^[A-Z0-9_]{2,40}$/;
