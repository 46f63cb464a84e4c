import { create } from "@bufbuild/protobuf";
import type { AttributeWrite } from "../../domain/conversation/attribute.ts";
import { unusableOwner } from "../../domain/conversation/thread-key.ts";
import { ok } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import {
  type AttributeRequest,
  type AttributeResponse,
  AttributeResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore, CutPayload } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkpointRef } from "./checkpoint-message.ts";
import { checkOperator } from "./operator-checks.ts";
import { checkName, checkOptionalName, checkThreadKey } from "./request-checks.ts";

/** What Attribute needs. */
export interface AttributeDeps {
  readonly store: Pick<ConversationStore, "write">;
  readonly clock: () => number;
}

/** Records the owner of a quarantined key, for ever. */
export function attribute({ store, clock }: AttributeDeps): Unary<AttributeRequest, AttributeResponse> {
  return async (request, { deadline }) => {
    const violations = checkAttribute(request);
    if (violations.length > 0) return invalidRequest(violations);
    const refusal = unusableOwner(request);
    if (refusal !== undefined) return refusal;
    const outcome = await store.write(writeOf(request, clock()), nothing(), deadline);
    if (outcome.kind === "refusal") return outcome;
    const { thread } = outcome.value;
    return ok(create(AttributeResponseSchema, { head: checkpointRef(thread, thread.head) }));
  };
}

function checkAttribute(request: AttributeRequest): readonly Violation[] {
  return [
    ...checkThreadKey("thread_key", request.threadKey),
    ...checkOperator(request.actor, request.reason),
    ...checkName("ticket", request.ticket),
    ...checkOptionalName("supersedes", request.supersedes),
  ];
}

function writeOf(request: AttributeRequest, now: number): AttributeWrite {
  const {
    threadKey: key,
    tenantId,
    subTenantId = "",
    sessionId = "",
    actor,
    reason,
    ticket,
    supersedes = "",
  } = request;
  const record = { owner: { tenantId, subTenantId, sessionId }, actor, reason, ticket, supersedes };
  return { kind: "attribute", target: { by: "key", key }, now, record };
}

/** A record brings no document. */
function nothing(): CutPayload {
  const none = new Uint8Array();
  return { bytes: none, ends: new Uint32Array(), digests: none, entries: none };
}
