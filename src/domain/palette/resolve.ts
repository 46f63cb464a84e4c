import { type Outcome, ok } from "../outcome.ts";
import type { Evidence } from "./evidence.ts";
import { excludedForce, type Force, readForce } from "./force.ts";
import type { Offer } from "./offer.ts";
import type { OperatorStages } from "./operator-stages.ts";
import { inRegistryOrder, type RegisteredTool, type Registry } from "./registry.ts";
import { type Routing, route } from "./routing.ts";
import { type Effect, select } from "./selection.ts";
import type { Labels, SelectionStage } from "./stage.ts";

/** One model call, proved: everything that decides which tools it offers and which one it must use. */
export interface Turn {
  readonly registry: Registry;
  readonly evidence: Evidence;
  readonly alwaysOffer: readonly string[];
  readonly operatorStages: OperatorStages;
  readonly stages: readonly SelectionStage[];
  readonly forcedTool?: string | undefined;
  readonly callsMade: readonly string[];
  readonly labels: Labels;
}

/** What was decided, with each step between the registry and the offer, so that it can be explained. */
export interface Resolved {
  readonly registry: Registry;
  readonly routing: Routing;
  /** What routing left, the forced tool included. */
  readonly routed: Offer;
  /** The same with the names that are always offered. */
  readonly widened: Offer;
  readonly effects: readonly Effect[];
  readonly offer: Offer;
  readonly force: Force;
}

/**
 * The palette of one model call: routing, what is always offered, the operator's stages, the request's, the force. A name that is not
 * registered is refused before one that a stage took away, and routing never refuses.
 */
export function resolvePalette(turn: Turn): Outcome<Resolved> {
  const { registry, labels } = turn;
  const force = readForce(turn.forcedTool, turn.callsMade, registry);
  if (force.kind === "refusal") return force;
  const forced = force.value.tool;
  const routing = route(turn.evidence, registry);
  const routed = routedOffer(routing, forced);
  const widened = widen(routed, turn.alwaysOffer, registry);
  const ranked = routing.kind === "routed" ? routing.ranked : [];
  const stages = [...turn.operatorStages.stages, ...turn.stages];
  const effects = select(widened, stages, { registry, forced, labels, ranked });
  const offer = effects.at(-1)?.after ?? widened;
  const refusal = excludedForce(force.value, offer, { registry, effects });
  return refusal ?? ok({ registry, routing, routed, widened, effects, offer, force: force.value });
}

/** Routing counts as protecting: it decides what is relevant, and the forced tool is. */
function routedOffer(routing: Routing, forced: RegisteredTool | undefined): Offer {
  if (routing.kind !== "routed") return { kind: "full" };
  const kept = forced === undefined ? routing.tools : inRegistryOrder([...routing.tools, forced]);
  return { kind: "explicit", tools: kept, emptiedBy: undefined };
}

function widen(offer: Offer, alwaysOffer: readonly string[], { byName }: Registry): Offer {
  if (offer.kind === "full" || alwaysOffer.length === 0) return offer;
  const always = alwaysOffer.flatMap((name) => byName.get(name) ?? []);
  return { ...offer, tools: inRegistryOrder([...offer.tools, ...always]) };
}
