import type { InvalidRequest_Violation } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Ok, type Refusal, refuse } from "./outcome.ts";

/** What is wrong with one field: its path, a stable rule id, and words that name what was found and what is allowed, never content. */
export type Violation = Pick<InvalidRequest_Violation, "field" | "rule" | "description">;

/** Input that could not be proved, with all that is wrong in the order in which it was found. */
export interface Invalid {
  readonly kind: "invalid";
  readonly violations: readonly Violation[];
}

/** Input as a proved type, or what speaks against it. */
export type Parsed<T> = Ok<T> | Invalid;

/** How many violations one refusal carries; readers of untrusted lists stop when they have found as many. */
export const maxViolations = 4;

/** INVALID_REQUEST with the first violations; the text and the metadata name the very first. */
export function invalidRequest(violations: readonly Violation[]): Refusal {
  const kept = violations.slice(0, maxViolations);
  return refuse("invalidRequest", { violations: kept, field: kept[0]?.field ?? "", rule: kept[0]?.rule ?? "" });
}

/** Input that could not be proved. */
export function invalid(violations: readonly Violation[]): Invalid {
  return { kind: "invalid", violations };
}

/** A list that is longer than its limit; nothing otherwise, so that checks can be joined. */
export function checkCount(field: string, found: number, allowed: number): readonly Violation[] {
  if (found <= allowed) return [];
  return [{ field, rule: "TOO_MANY", description: `has ${found} members; at most ${allowed} are allowed` }];
}
