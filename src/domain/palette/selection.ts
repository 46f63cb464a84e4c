import { type Offer, offeredTools } from "./offer.ts";
import type { RegisteredTool, Registry } from "./registry.ts";
import type { Labels, SelectionRule, SelectionStage } from "./stage.ts";

/** What the stages need to know of the turn. */
export interface SelectionTurn {
  readonly registry: Registry;
  readonly forced: RegisteredTool | undefined;
  readonly labels: Labels;
  /** Routing order, most relevant first; empty when routing did not narrow. */
  readonly ranked: readonly RegisteredTool[];
}

/** What one stage did to the offer. */
export interface Effect {
  readonly stage: SelectionStage;
  /** False when the request's labels let the stage be skipped. */
  readonly applied: boolean;
  readonly before: Offer;
  readonly after: Offer;
  /** The forced tool, if the rule dropped it and the stage protects it. */
  readonly reinstated: RegisteredTool | undefined;
}

/** Narrows an offer by each stage in turn. A protecting stage cannot lose the forced tool, and cannot bring back what an earlier one lost. */
export function select(start: Offer, stages: readonly SelectionStage[], turn: SelectionTurn): readonly Effect[] {
  const effects: Effect[] = [];
  let offer = start;
  for (const stage of stages) {
    const effect = applyStage(offer, stage, turn);
    effects.push(effect);
    offer = effect.after;
  }
  return effects;
}

function applyStage(before: Offer, stage: SelectionStage, turn: SelectionTurn): Effect {
  if (!applies(stage, turn.labels)) return { stage, applied: false, before, after: before, reinstated: undefined };
  const tools = offeredTools(before, turn.registry);
  const keeps = keeper(stage.rule, tools, turn);
  const sheltered = stage.protectsForced && turn.forced !== undefined ? turn.forced : undefined;
  const kept = tools.filter((tool) => keeps(tool) || tool === sheltered);
  const after = kept.length === tools.length ? before : narrowed(kept, stage);
  const saved = sheltered !== undefined && !keeps(sheltered) && kept.includes(sheltered);
  return { stage, applied: true, before, after, reinstated: saved ? sheltered : undefined };
}

/** A hard filter is skipped only if a label that is present differs: a host cannot slip out by leaving one away. */
function applies({ when, protectsForced }: SelectionStage, labels: Labels): boolean {
  return Object.entries(when).every(([label, value]) =>
    Object.hasOwn(labels, label) ? labels[label] === value : !protectsForced,
  );
}

function keeper(
  rule: SelectionRule,
  tools: readonly RegisteredTool[],
  turn: SelectionTurn,
): (tool: RegisteredTool) => boolean {
  switch (rule.kind) {
    case "allow":
      return rule.matches;
    case "deny":
      return (tool) => !rule.matches(tool);
    case "limit": {
      const best = bestOf(tools, turn.ranked, rule.count);
      return (tool) => best.has(tool);
    }
  }
}

function bestOf(
  tools: readonly RegisteredTool[],
  ranked: readonly RegisteredTool[],
  count: number,
): ReadonlySet<RegisteredTool> {
  const offered = new Set(tools);
  const inOrder = new Set([...ranked.filter((tool) => offered.has(tool)), ...tools]);
  return new Set([...inOrder].slice(0, count));
}

function narrowed(tools: readonly RegisteredTool[], stage: SelectionStage): Offer {
  return { kind: "explicit", tools, emptiedBy: tools.length === 0 ? stage.name : undefined };
}
