import type { Message } from "@bufbuild/protobuf";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import { type Status, toStatus } from "./status.ts";

/** An ending other than OK. */
export interface StatusReply {
  readonly kind: "status";
  readonly status: Status;
}

/** How a call ended: its one answer as its server sends it, or the status of any other ending. */
export type Reply<A> = { readonly kind: "message"; readonly message: A } | StatusReply;

/** How a stream began: its messages, or the status of a refusal before the first. */
export type StreamReply<A> = { readonly kind: "messages"; readonly messages: AsyncGenerator<A> } | StatusReply;

/**
 * Makes of an answer what a server sends. It throws if the answer is none of its type, which is a bug of its handler, so that the wrapper
 * meets it like any other and not the server's library, which would end the call without our leaf.
 */
export type Encode<A> = (message: Message) => A;

/** Thrown out of a running stream: the only way in which one ends other than by its last message. */
export class StreamEnd extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

/** A refusal as an ending. */
export function refused(refusal: Refusal): StatusReply {
  return { kind: "status", status: toStatus(refusal) };
}

/** An outcome as an ending. */
export function replyOf<A>(outcome: Outcome<object>, encode: Encode<A>): Reply<A> {
  if (outcome.kind === "refusal") return refused(outcome);
  return { kind: "message", message: encode(outcome.value as Message) }; // the route's types made it the method's answer
}

/** What a handler returned, as an outcome. Nothing, or anything else, is a bug and must not answer OK. */
export function outcomeOf(returned: unknown): Outcome<object> {
  if (!isOutcome(returned)) throw new TypeError("a handler returned no outcome");
  return returned;
}

function isOutcome(value: unknown): value is Outcome<object> {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  if (value.kind === "ok") return "value" in value && typeof value.value === "object" && value.value !== null;
  return value.kind === "refusal" && "leaf" in value;
}
