import { create } from "@bufbuild/protobuf";
import { showCheckpoint } from "../../domain/conversation/read-facts.ts";
import type { SupportWindow } from "../../domain/conversation/support-window.ts";
import type { KeyRules } from "../../domain/conversation/thread-key.ts";
import { ok } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type GetCheckpointRequest,
  type GetCheckpointResponse,
  GetCheckpointResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { checkOptionalName } from "./request-checks.ts";
import { checkThreadRef, targetOfRef } from "./thread-target.ts";

/** What GetCheckpoint needs. */
export interface GetCheckpointDeps {
  readonly store: Pick<ConversationStore, "look">;
  readonly rules: KeyRules;
  readonly window: () => SupportWindow;
}

/** The facts of a checkpoint without its payload, also of one that is retired, discarded or pruned. */
export function getCheckpoint(deps: GetCheckpointDeps): Unary<GetCheckpointRequest, GetCheckpointResponse> {
  return async ({ thread, checkpointId }) => {
    const violations = [...checkThreadRef("thread", thread), ...checkOptionalName("checkpoint_id", checkpointId)];
    if (violations.length > 0) return invalidRequest(violations);
    const target = targetOfRef(thread, deps.rules);
    if (target.kind === "refusal") return target;
    const found = await deps.store.look({ thread: target.value, checkpointId });
    const shown = showCheckpoint({ claimedTenantId: thread?.claimedTenantId, checkpointId }, found);
    if (shown.kind === "refusal") return shown;
    const checkpoint = checkpointMessage(shown.value.thread, shown.value.checkpoint, deps.window());
    return ok(create(GetCheckpointResponseSchema, { checkpoint }));
  };
}
