import { utf8Length } from "../../domain/short-text.ts";
import type { Violation } from "../../domain/violation.ts";
import { checkRequiredName, required } from "./request-checks.ts";

/** The longest reason: a few sentences, since it is kept for ever. */
const maxReasonBytes = 1024;

/** What is wrong with who an operator's call is by, and why. Both are kept, so both must be there. */
export function checkOperator(actor: string, reason: string): readonly Violation[] {
  return [...checkRequiredName("actor", actor), ...checkReason(reason)];
}

function checkReason(reason: string): readonly Violation[] {
  const field = "reason";
  if (reason === "") return [required(field)];
  if (!reason.isWellFormed()) return [{ field, rule: "NOT_WELL_FORMED", description: "holds a lone surrogate" }];
  const found = utf8Length(reason);
  const description = `has ${found} bytes; at most ${maxReasonBytes} are allowed`;
  return found > maxReasonBytes ? [{ field, rule: "TOO_LONG", description }] : [];
}
