import { ForcedToolUnavailable_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { sortedNameSample } from "../name-sample.ts";
import { type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { type Offer, offeredTools, offers } from "./offer.ts";
import type { RegisteredTool, Registry } from "./registry.ts";
import type { Effect } from "./selection.ts";

/** What the turn must call, after the calls that it has already made. */
export interface Force {
  readonly tool: RegisteredTool | undefined;
  /** The forced tool was called in this turn. From then on nothing is forced: a force that is sent again loops for ever. */
  readonly satisfied: boolean;
}

/** Reads the force of one model call, or refuses a name that is not registered. The name is compared, never validated. */
export function readForce(name: string | undefined, callsMade: readonly string[], registry: Registry): Outcome<Force> {
  if (name === undefined) return ok({ tool: undefined, satisfied: false });
  if (callsMade.includes(name)) return ok({ tool: undefined, satisfied: true });
  const tool = registry.byName.get(name);
  return tool === undefined ? notRegistered(name, registry) : ok({ tool, satisfied: false });
}

/** Refuses a turn whose forced tool a hard filter took away, before a model is paid for. It names the stage that did. */
export function excludedForce(force: Force, final: Offer, stages: StagedOffer): Refusal | undefined {
  const { tool } = force;
  if (tool === undefined || offers(final, tool)) return undefined;
  const excluding = stages.effects.find(({ after }) => !offers(after, tool));
  return refuse("forcedToolUnavailable", {
    cause: ForcedToolUnavailable_Cause.EXCLUDED_BY_PALETTE,
    forcedTool: tool.name,
    palette: sortedNameSample(offeredTools(final, stages.registry).map(({ name }) => name)),
    excludingStage: excluding?.stage.name ?? "",
  });
}

/** What the stages of one registry did. */
export interface StagedOffer {
  readonly registry: Registry;
  readonly effects: readonly Effect[];
}

function notRegistered(forcedTool: string, registry: Registry): Refusal {
  return refuse("forcedToolUnavailable", {
    cause: ForcedToolUnavailable_Cause.NOT_REGISTERED,
    forcedTool,
    registered: sortedNameSample(registry.tools.map(({ name }) => name)),
  });
}
