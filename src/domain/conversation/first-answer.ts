import { type Outcome, ok, refuse } from "../outcome.ts";
import { sameBytes } from "./envelope.ts";
import type { Retry } from "./retry.ts";
import type { StoredThread } from "./stored.ts";
import type { Repeat } from "./write.ts";
import type { FirstAnswer } from "./write-facts.ts";

/** The first answer again, or the refusal of a key that was used for something else. */
export function repeat(retry: Retry, first: FirstAnswer, thread: StoredThread): Outcome<Repeat> {
  if (sameBytes(first.body, retry.body)) return ok({ kind: "repeat", first, thread });
  return refuse("idempotencyKeyReused", { idempotencyKey: retry.shown });
}
