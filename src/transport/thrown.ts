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

/**
 * What a log may say of something thrown: its class, its code and where it was thrown. Not its message: a parser's message quotes the
 * conversation that it read.
 */
export function causeOfThrown(thrown: unknown): {
  readonly class: string;
  readonly code?: string;
  readonly at?: string;
} {
  if (!(thrown instanceof Error)) return { class: typeof thrown };
  const code = "code" in thrown ? String(thrown.code) : undefined;
  const at = thrown.stack?.match(/([\w.-]+:\d+):\d+\)?$/m)?.[1];
  return { class: thrown.name, ...(code === undefined ? {} : { code }), ...(at === undefined ? {} : { at }) };
}
