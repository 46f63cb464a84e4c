import { create } from "@bufbuild/protobuf";
import type { SupportWindow } from "../../domain/conversation/support-window.ts";
import { ok } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type DiscardRequest,
  type DiscardResponse,
  DiscardResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { checkOperator } from "./operator-checks.ts";
import { checkRequiredName } from "./request-checks.ts";

/** What Discard needs. */
export interface DiscardDeps {
  readonly store: Pick<ConversationStore, "discard">;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
}

/** Gives one checkpoint up, recorded. */
export function discard({ store, window, clock }: DiscardDeps): Unary<DiscardRequest, DiscardResponse> {
  return async ({ checkpointId, actor, reason }, { deadline }) => {
    const violations = [...checkRequiredName("checkpoint_id", checkpointId), ...checkOperator(actor, reason)];
    if (violations.length > 0) return invalidRequest(violations);
    const outcome = await store.discard({ kind: "discard", checkpointId, actor, reason, now: clock() }, deadline);
    if (outcome.kind === "refusal") return outcome;
    const { thread, checkpoint } = outcome.value;
    return ok(create(DiscardResponseSchema, { checkpoint: checkpointMessage(thread, checkpoint, window()) }));
  };
}
