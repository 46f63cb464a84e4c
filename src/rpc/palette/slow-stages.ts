import type { OperatorStages } from "../../domain/palette/operator-stages.ts";
import type { RegisteredTool, Registry } from "../../domain/palette/registry.ts";
import type { SelectionRule, SelectionStage } from "../../domain/palette/stage.ts";

/** The stages of a turn, and what they are matched against. */
export interface StagedTurn {
  readonly registry: Registry;
  readonly operatorStages: OperatorStages;
  readonly stages: readonly SelectionStage[];
}

/** Globs times tools that a call may match in one go. The worst globs take 2 µs a match, ordinary ones 10 ns. */
const matchesInOneGo = 50_000;

/** How many of them a call may take before others get their turn. */
const matchesPerSlice = 2_500;

/** Whether matching would hold up every other call: 10,000 tools and 32 stages of the worst globs, all legal, take half a minute. */
export function areSlow({ registry, operatorStages, stages }: StagedTurn): boolean {
  const globs = [...operatorStages.stages, ...stages].reduce((sum, stage) => sum + globCount(stage), 0);
  return globs * registry.tools.length > matchesInOneGo;
}

/** The same turn with every stage matched beforehand, in slices between which other calls run. It stops when the call has ended. */
export async function matchInSlices<T extends StagedTurn>(turn: T, signal: AbortSignal): Promise<T> {
  const { tools } = turn.registry;
  const operator = await matchedAll(turn.operatorStages.stages, tools, signal);
  const stages = await matchedAll(turn.stages, tools, signal);
  return { ...turn, operatorStages: { ...turn.operatorStages, stages: operator }, stages };
}

async function matchedAll(
  stages: readonly SelectionStage[],
  tools: readonly RegisteredTool[],
  signal: AbortSignal,
): Promise<readonly SelectionStage[]> {
  const matched: SelectionStage[] = [];
  for (const stage of stages) matched.push({ ...stage, rule: await matchedRule(stage, tools, signal) });
  return matched;
}

async function matchedRule(
  stage: SelectionStage,
  tools: readonly RegisteredTool[],
  signal: AbortSignal,
): Promise<SelectionRule> {
  const { rule } = stage;
  const globs = globCount(stage);
  if (rule.kind === "limit" || globs === 0) return rule;
  const slice = Math.max(1, Math.floor(matchesPerSlice / globs));
  const matching = new Set<RegisteredTool>();
  for (let from = 0; from < tools.length; from += slice) {
    for (const tool of tools.slice(from, from + slice)) if (rule.matches(tool)) matching.add(tool);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return { kind: rule.kind, matches: (tool) => matching.has(tool) };
}

function globCount({ written }: SelectionStage): number {
  return written.case === "limit" ? 0 : written.value.globs.length;
}
