import { create } from "@bufbuild/protobuf";
import { drainOf } from "../../domain/conversation/drain.ts";
import type { DrainQuery } from "../../domain/conversation/drain-query.ts";
import { drainTerms } from "../../domain/conversation/drain-terms.ts";
import { type Outcome, ok, refuse } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import {
  type GetDrainRequest,
  type GetDrainResponse,
  GetDrainResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { Drain } from "../../gen/fermata/conversation/v1/freeze_pb.ts";
import type { ConversationStore } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { type JudgingDeps, judgeSome } from "./drain-judging.ts";
import { checkRequiredName, required } from "./request-checks.ts";
import { checkScope, scopeOf } from "./scope-message.ts";

/** What GetDrain needs. */
export interface GetDrainDeps extends JudgingDeps {
  readonly store: Pick<ConversationStore, "find" | "unjudged" | "keepVerdicts" | "drain">;
}

/** How far a drain is, or what a hold on a scope would count. */
export function getDrain(deps: GetDrainDeps): Unary<GetDrainRequest, GetDrainResponse> {
  return async ({ of }) => {
    const violations = checkOf(of);
    if (violations.length > 0) return invalidRequest(violations);
    const asked = askedOf(of);
    if (asked.kind === "refusal") return asked;
    const drain = await drainNow(deps, asked.value);
    if (drain === undefined) return refuse("freezeNotFound", { freezeId: of.case === "freezeId" ? of.value : "" });
    return ok(create(GetDrainResponseSchema, { drain }));
  };
}

/** The drain in one consistent read, after some of it has been judged; undefined without its hold. */
export async function drainNow(deps: GetDrainDeps, of: DrainQuery["of"]): Promise<Drain | undefined> {
  await judgeSome(deps, of);
  const now = deps.clock();
  const { terms, expired } = drainTerms(deps.window(), now);
  const tally = await deps.store.drain({ of, terms });
  return tally && drainOf(tally, new Set(expired), now);
}

function checkOf(of: GetDrainRequest["of"]): readonly Violation[] {
  switch (of.case) {
    case "freezeId":
      return checkRequiredName("freeze_id", of.value);
    case "scope":
      return checkScope(of.value);
    case undefined:
      return [required("of")];
  }
}

function askedOf(of: GetDrainRequest["of"]): Outcome<DrainQuery["of"]> {
  if (of.case === "freezeId") return ok({ by: "hold", freezeId: of.value });
  const scope = scopeOf(of.case === "scope" ? of.value : undefined);
  return scope.kind === "refusal" ? scope : ok({ by: "scope", scope: scope.value });
}
