import { create } from "@bufbuild/protobuf";
import type { Erasure } from "../../domain/conversation/erase.ts";
import { unusableValue } from "../../domain/conversation/identity.ts";
import type { KeyRules } from "../../domain/conversation/thread-key.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import {
  type EraseRequest,
  type EraseResponse,
  EraseResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkOperator } from "./operator-checks.ts";
import { required } from "./request-checks.ts";
import { checkThreadRef, targetOfRef } from "./thread-target.ts";

/** What Erase needs. */
export interface EraseDeps {
  readonly store: Pick<ConversationStore, "erase">;
  readonly rules: KeyRules;
  readonly clock: () => number;
}

/** Removes a thread or a tenant from the store's files, and leaves who, why and how many. */
export function erase({ store, rules, clock }: EraseDeps): Unary<EraseRequest, EraseResponse> {
  return async (request, { deadline }) => {
    const { actor, reason, dryRun } = request;
    const violations = [...checkWhat(request.what), ...checkOperator(actor, reason)];
    if (violations.length > 0) return invalidRequest(violations);
    const what = erasureOf(request.what, rules);
    if (what.kind === "refusal") return what;
    const write = { kind: "erase", what: what.value, actor, reason, now: clock(), dryRun } as const;
    const outcome = await store.erase(write, deadline);
    if (outcome.kind === "refusal") return outcome;
    const { threads, checkpoints } = outcome.value;
    return ok(create(EraseResponseSchema, { threads: BigInt(threads), checkpoints: BigInt(checkpoints) }));
  };
}

function checkWhat(what: EraseRequest["what"]): readonly Violation[] {
  switch (what.case) {
    case "thread":
      return checkThreadRef("thread", what.value);
    case "tenantId":
      return [];
    case undefined:
      return [required("what")];
  }
}

/** A tenant is compared and never minted, so it may carry the separator. */
function erasureOf(what: EraseRequest["what"], rules: KeyRules): Outcome<Erasure> {
  switch (what.case) {
    case "thread": {
      const target = targetOfRef(what.value, rules);
      if (target.kind === "refusal") return target;
      return ok({ by: "thread", target: target.value, claimedTenantId: what.value.claimedTenantId });
    }
    case "tenantId":
      return unusableValue("tenant_id", what.value) ?? ok({ by: "tenant", tenantId: what.value });
    case undefined:
      return invalidRequest([required("what")]);
  }
}
