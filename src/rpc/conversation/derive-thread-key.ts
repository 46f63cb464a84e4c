import { create } from "@bufbuild/protobuf";
import { type KeyRules, MINTING_DERIVATION, nameThread } from "../../domain/conversation/thread-key.ts";
import { ok } from "../../domain/outcome.ts";
import {
  type DeriveThreadKeyRequest,
  type DeriveThreadKeyResponse,
  DeriveThreadKeyResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { Unary } from "../rpc.ts";

/** What DeriveThreadKey needs: no store. */
export interface DeriveThreadKeyDeps {
  readonly rules: KeyRules;
}

/** The key that an identity's thread has or would get. Whether there is one is another question. */
export function deriveThreadKey({
  rules,
}: DeriveThreadKeyDeps): Unary<DeriveThreadKeyRequest, DeriveThreadKeyResponse> {
  return ({ identity }) => {
    const named = nameThread(identity, rules);
    if (named.kind === "refusal") return named;
    const { key: threadKey } = named.value;
    return ok(create(DeriveThreadKeyResponseSchema, { threadKey, derivation: MINTING_DERIVATION }));
  };
}
