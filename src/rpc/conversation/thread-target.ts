import { type KeyRules, nameThread, type Target, unusableClaim } from "../../domain/conversation/thread-key.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import type { ThreadIdentity, ThreadRef } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { checkThreadKey, required } from "./request-checks.ts";

/** What is wrong with a thread reference as a message. */
export function checkThreadRef(field: string, ref: ThreadRef | undefined): readonly Violation[] {
  if (ref?.by.case === undefined) return [required(field)];
  return ref.by.case === "threadKey" ? checkThreadKey(`${field}.thread_key`, ref.by.value) : [];
}

/** The thread that a reference names, with rows 1 and 2 passed. A claim must be usable, and is only ever compared. */
export function targetOfRef(ref: ThreadRef | undefined, rules: KeyRules): Outcome<Target> {
  const target = targetOf(ref?.by, rules);
  if (target.kind === "refusal") return target;
  return unusableClaim(ref?.claimedTenantId) ?? target;
}

/** The thread that an identity or an exact key names. */
export function targetOf(
  by:
    | { case: "identity"; value: ThreadIdentity }
    | { case: "threadKey"; value: string }
    | { case: undefined }
    | undefined,
  rules: KeyRules,
): Outcome<Target> {
  switch (by?.case) {
    case "identity": {
      const named = nameThread(by.value, rules);
      return named.kind === "refusal" ? named : ok({ by: "identity", named: named.value });
    }
    case "threadKey":
      return ok({ by: "key", key: by.value });
    case undefined:
      return invalidRequest([required("thread")]);
  }
}
