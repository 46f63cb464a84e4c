import { create } from "@bufbuild/protobuf";
import { ok } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type ThawRequest,
  type ThawResponse,
  ThawResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { IssuanceState } from "../../gen/fermata/conversation/v1/freeze_pb.ts";
import type { ConversationStore } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkOperator } from "./operator-checks.ts";
import { checkRequiredName } from "./request-checks.ts";

/** What Thaw needs. */
export interface ThawDeps {
  readonly store: Pick<ConversationStore, "thaw">;
  readonly clock: () => number;
}

/** Ends one hold and its drain. */
export function thaw({ store, clock }: ThawDeps): Unary<ThawRequest, ThawResponse> {
  return async ({ freezeId, actor, reason }, { deadline }) => {
    const violations = [...checkRequiredName("freeze_id", freezeId), ...checkOperator(actor, reason)];
    if (violations.length > 0) return invalidRequest(violations);
    const outcome = await store.thaw({ kind: "thaw", freezeId, actor, reason, now: clock() }, deadline);
    if (outcome.kind === "refusal") return outcome;
    const { epoch, issuance } = outcome.value;
    const state = issuance === "frozen" ? IssuanceState.FROZEN : IssuanceState.OPEN;
    return ok(create(ThawResponseSchema, { epoch: BigInt(epoch), issuance: state }));
  };
}
