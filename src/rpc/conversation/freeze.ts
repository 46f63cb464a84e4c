import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Frozen } from "../../domain/conversation/freeze.ts";
import { ok } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type FreezeRequest,
  type FreezeResponse,
  FreezeResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { FreezeState } from "../../gen/fermata/conversation/v1/freeze_pb.ts";
import type { ConversationStore } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkOperator } from "./operator-checks.ts";
import { checkRequiredName } from "./request-checks.ts";
import { checkScope, scopeOf } from "./scope-message.ts";

/** What Freeze needs. */
export interface FreezeDeps {
  readonly store: Pick<ConversationStore, "freeze" | "storeId">;
  readonly clock: () => number;
}

/** Stops issuance in a scope, for every sidecar of the store. The same id again is the same hold. */
export function freeze({ store, clock }: FreezeDeps): Unary<FreezeRequest, FreezeResponse> {
  return async (request, { deadline }) => {
    const { freezeId, actor, reason } = request;
    const violations = [
      ...checkRequiredName("freeze_id", freezeId),
      ...checkScope(request.scope),
      ...checkOperator(actor, reason),
    ];
    if (violations.length > 0) return invalidRequest(violations);
    const scope = scopeOf(request.scope);
    if (scope.kind === "refusal") return scope;
    const write = { kind: "freeze", freezeId, scope: scope.value, actor, reason, now: clock() } as const;
    const outcome = await store.freeze(write, deadline);
    return outcome.kind === "refusal" ? outcome : ok(answer(outcome.value, store.storeId));
  };
}

function answer({ state, epoch, freezeTime }: Frozen, storeId: string): FreezeResponse {
  return create(FreezeResponseSchema, {
    state: state === "frozen" ? FreezeState.FROZEN : FreezeState.ALREADY_THAWED,
    epoch: BigInt(epoch),
    storeId,
    ...(freezeTime === undefined ? {} : { freezeTime: timestampFromMs(freezeTime) }),
  });
}
