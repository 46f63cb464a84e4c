import { create } from "@bufbuild/protobuf";
import {
  type Explanation,
  type Explanation_Step,
  Explanation_StepSchema,
  ExplanationSchema,
} from "../../gen/fermata/palette/v1/palette_pb.ts";
import { listedNames } from "../name-sample.ts";
import { type Offer, offeredTools } from "./offer.ts";
import type { RegisteredTool, Registry } from "./registry.ts";
import type { Resolved } from "./resolve.ts";
import type { Routing } from "./routing.ts";
import { toRoutingAnswer } from "./routing-answer.ts";
import { describeRule } from "./rule-text.ts";
import type { Effect } from "./selection.ts";

/** The trace of a decision: what each step from the registry to the force removed and put back, in the order in which they ran. */
export function explain(resolved: Resolved): Explanation {
  const stages = resolved.effects.map((effect) => stageStep(effect, resolved.registry));
  const routing = [routingStep(resolved), ...alwaysOfferSteps(resolved)];
  return create(ExplanationSchema, { steps: [registryStep(resolved), ...routing, ...stages, ...forceSteps(resolved)] });
}

interface Change {
  readonly registry: Registry;
  readonly before: Offer;
  readonly after: Offer;
  readonly putBack: readonly RegisteredTool[];
}

interface Words {
  readonly stage: string;
  readonly rule: string;
  readonly note: string;
}

function toStep(words: Words, { registry, before, after, putBack }: Change): Explanation_Step {
  const remaining = offeredTools(after, registry);
  const left = new Set(remaining);
  const removed = listedNames(namesOf(offeredTools(before, registry).filter((tool) => !left.has(tool))));
  const reinstated = listedNames(namesOf(putBack));
  return create(Explanation_StepSchema, {
    ...words,
    remaining: remaining.length,
    ...(removed === undefined ? {} : { removed }),
    ...(reinstated === undefined ? {} : { reinstated }),
  });
}

function namesOf(tools: readonly RegisteredTool[]): readonly string[] {
  return tools.map(({ name }) => name);
}

function registryStep({ registry }: Resolved): Explanation_Step {
  const remaining = registry.tools.length;
  return create(Explanation_StepSchema, { stage: "registry", rule: "every registered tool", remaining });
}

function routingStep({ registry, routing, routed, force }: Resolved): Explanation_Step {
  const named = routing.kind === "routed" ? routing.tools : registry.tools;
  const putBack = force.tool === undefined || named.includes(force.tool) ? [] : [force.tool];
  const words = { stage: "routing", rule: "tools that skills name", note: routingNote(routing) };
  return toStep(words, { registry, before: { kind: "full" }, after: routed, putBack });
}

function routingNote(routing: Routing): string {
  const answer = toRoutingAnswer(routing);
  switch (answer.case) {
    case "routed":
      return answer.value.unresolved === undefined
        ? ""
        : `${answer.value.unresolved.total} candidates are not registered`;
    case "declined":
      return answer.value.message;
    case "unavailable":
      return "A prerequisite of routing is missing: every tool is offered.";
  }
}

function alwaysOfferSteps({ registry, routing, routed, widened }: Resolved): readonly Explanation_Step[] {
  if (routing.kind !== "routed" || widened === routed) return [];
  const before = new Set(offeredTools(routed, registry));
  const putBack = offeredTools(widened, registry).filter((tool) => !before.has(tool));
  const words = { stage: "always_offer", rule: "registered names join a routed set", note: "" };
  return [toStep(words, { registry, before: routed, after: widened, putBack })];
}

function stageStep({ stage, applied, before, after, reinstated }: Effect, registry: Registry): Explanation_Step {
  const note = applied ? "" : "skipped: the labels of the request are not those that it asks for";
  const putBack = reinstated === undefined ? [] : [reinstated];
  return toStep({ stage: stage.name, rule: describeRule(stage), note }, { registry, before, after, putBack });
}

function forceSteps({ registry, offer, force }: Resolved): readonly Explanation_Step[] {
  if (force.tool === undefined && !force.satisfied) return [];
  const note = force.satisfied ? "already called in this turn: nothing is forced" : "offered, and must be called";
  const rule = force.tool === undefined ? "forced tool" : `forced tool ${force.tool.name}`;
  return [toStep({ stage: "force", rule, note }, { registry, before: offer, after: offer, putBack: [] })];
}
