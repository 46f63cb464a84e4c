import { create } from "@bufbuild/protobuf";
import { drainTerms } from "../../domain/conversation/drain-terms.ts";
import { unusableValue } from "../../domain/conversation/identity.ts";
import { firstDamaged, refuseList } from "../../domain/conversation/read-facts.ts";
import type { SupportWindow } from "../../domain/conversation/support-window.ts";
import type { KeyRules } from "../../domain/conversation/thread-key.ts";
import { type Outcome, ok, refuse } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import {
  type ListCheckpointsRequest,
  type ListCheckpointsResponse,
  ListCheckpointsResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore, Listed, ListQuery } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { type JudgingDeps, judgeSome } from "./drain-judging.ts";
import { pageSize, placeOf, tokenOf } from "./page.ts";
import { checkRequiredName, required } from "./request-checks.ts";
import { checkThreadRef, targetOfRef } from "./thread-target.ts";

/** What ListCheckpoints needs. */
export interface ListCheckpointsDeps extends JudgingDeps {
  readonly store: Pick<ConversationStore, "list" | "find" | "unjudged" | "keepVerdicts">;
  readonly rules: KeyRules;
}

/** Checkpoints without payload, oldest first. A tenant or a format without any has an empty page; a thread must be there. */
export function listCheckpoints(deps: ListCheckpointsDeps): Unary<ListCheckpointsRequest, ListCheckpointsResponse> {
  return async (request) => {
    const after = placeOf(request.pageToken);
    const violations = checkList(request, after);
    if (violations.length > 0 || after === undefined) return invalidRequest(violations);
    const of = scopeOf(request, deps);
    if (of.kind === "refusal") return of;
    if (of.value.by === "remaining") await judgeSome(deps, { by: "hold", freezeId: of.value.freezeId });
    const listed = await deps.store.list({ of: of.value, after, limit: pageSize(request.pageSize) });
    if (listed.kind === "no-freeze") return refuse("freezeNotFound", { freezeId: String(request.of.value) });
    const claimed = request.of.case === "thread" ? request.of.value.claimedTenantId : undefined;
    return answer(listed, claimed, deps.window());
  };
}

function checkList({ of }: ListCheckpointsRequest, after: number | undefined): readonly Violation[] {
  const token = { field: "page_token", rule: "UNKNOWN", description: "was not given by an earlier page" };
  return [...checkScope(of), ...(after === undefined ? [token] : [])];
}

function checkScope(of: ListCheckpointsRequest["of"]): readonly Violation[] {
  switch (of.case) {
    case "thread":
      return checkThreadRef("thread", of.value);
    case "format":
      return checkRequiredName("format", of.value);
    case "remainingOfFreezeId":
      return checkRequiredName("remaining_of_freeze_id", of.value);
    case "tenantId":
      return [];
    case undefined:
      return [required("of")];
  }
}

function scopeOf(
  { of }: ListCheckpointsRequest,
  { rules, window, clock }: ListCheckpointsDeps,
): Outcome<ListQuery["of"]> {
  switch (of.case) {
    case "thread": {
      const target = targetOfRef(of.value, rules);
      return target.kind === "refusal" ? target : ok({ by: "thread", thread: target.value });
    }
    case "tenantId":
      return unusableValue("tenant_id", of.value) ?? ok({ by: "tenant", tenantId: of.value });
    case "format":
      return ok({ by: "format", format: of.value });
    case "remainingOfFreezeId":
      return ok({ by: "remaining", freezeId: of.value, ...drainTerms(window(), clock()) });
    case undefined:
      return invalidRequest([required("of")]);
  }
}

function answer(
  listed: Exclude<Listed, { kind: "no-freeze" }>,
  claimed: string | undefined,
  window: SupportWindow,
): Outcome<ListCheckpointsResponse> {
  if (listed.kind === "no-thread") return refuseList(claimed, undefined, listed.beside) ?? refuse("threadNotFound", {});
  const ofThread = listed.thread && refuseList(claimed, listed.thread, listed.beside);
  const refusal = ofThread ?? firstDamaged(listed.rows);
  if (refusal !== undefined) return refusal;
  return ok(
    create(ListCheckpointsResponseSchema, {
      checkpoints: listed.rows.map(({ thread, checkpoint }) => checkpointMessage(thread, checkpoint, window)),
      nextPageToken: tokenOf(listed.next),
    }),
  );
}
