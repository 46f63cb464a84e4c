import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ActiveHold } from "../../domain/conversation/freeze.ts";
import { ok } from "../../domain/outcome.ts";
import {
  type ActiveFreeze,
  ActiveFreezeSchema,
  type ListFreezesRequest,
  type ListFreezesResponse,
  ListFreezesResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { scopeMessage } from "./scope-message.ts";

/** What ListFreezes needs. */
export interface ListFreezesDeps {
  readonly store: Pick<ConversationStore, "holds">;
}

/** The holds that are not thawed, the oldest first. */
export function listFreezes({ store }: ListFreezesDeps): Unary<ListFreezesRequest, ListFreezesResponse> {
  return async () => {
    const holds = await store.holds();
    return ok(create(ListFreezesResponseSchema, { freezes: holds.map(freezeMessage) }));
  };
}

function freezeMessage({ freezeId, scope, actor, reason, freezeTime, epoch = 0 }: ActiveHold): ActiveFreeze {
  return create(ActiveFreezeSchema, {
    freezeId,
    scope: scopeMessage(scope),
    actor,
    reason,
    epoch: BigInt(epoch),
    closing: freezeTime === undefined,
    ...(freezeTime === undefined ? {} : { freezeTime: timestampFromMs(freezeTime) }),
  });
}
