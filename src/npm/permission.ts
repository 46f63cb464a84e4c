import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { Decision } from "../gen/fermata/palette/v1/palette_pb.ts";
import { ResolveResponseSchema } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { ForcedToolUnavailable_Cause as Cause, RefusalSchema, Remedy } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { endingHere, FermataError, PermissionUndecided, SidecarUnreachable } from "./fermata-error.ts";
import { nameOf, type Resolution, resolutionOf } from "./resolution.ts";
import type { Turn } from "./turn.ts";

/** What a turn may do while the sidecar does not answer: routing fails open, permission does not. */
export interface Permission {
  /** The sidecar answered. */
  saw(turn: Turn, decision: Decision | undefined): void;
  /** The full palette if no hard filter can be meant; else it throws. What the sidecar said is thrown as it is. */
  withoutAnswer(turn: Turn, thrown: unknown): Resolution;
}

const keptLabels = 1024;

/** What is known counts for one set of labels, since an operator's filter can be for one role, and only under the same operator's stages. */
export function createPermission(offerAll: boolean): Permission {
  const free = new Map<string, boolean>();
  let stages = "";
  let warned = false;
  return {
    saw: (turn, decision) => {
      if (decision?.stagesVersion !== stages || free.size >= keptLabels) free.clear();
      stages = decision?.stagesVersion ?? "";
      free.set(labelsText(turn), decision?.hardFilters === false);
    },
    withoutAnswer: (turn, thrown) => {
      if (!(thrown instanceof SidecarUnreachable)) throw thrown;
      const decidable = !hasHardStage(turn) && free.get(labelsText(turn)) === true;
      if (!decidable && !offerAll) throw undecided(thrown);
      const resolution = fullResolution(turn);
      if (!warned)
        process.emitWarning(`the sidecar does not answer, every tool is offered: ${thrown.detail}`, "Fermata");
      warned = true;
      return resolution;
    },
  };
}

function labelsText({ labels = {} }: Turn): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function hasHardStage({ stages = [] }: Turn): boolean {
  return stages.some(({ protectsForced }) => protectsForced === false);
}

function undecided(cause: SidecarUnreachable): PermissionUndecided {
  const detail = "the sidecar does not answer, and a hard filter may apply: do not call the model";
  return new PermissionUndecided(endingHere(cause.code, detail), cause);
}

function fullResolution(turn: Turn): Resolution {
  const { force, callsMade = [] } = turn;
  const forceSatisfied = force !== undefined && callsMade.includes(force);
  const forced = forceSatisfied ? undefined : force;
  if (forced !== undefined && !turn.tools.some((tool) => nameOf(tool) === forced)) throw notRegistered(turn, forced);
  const palette = { offer: { case: "full", value: {} }, ...(forced !== undefined && { forcedTool: forced }) } as const;
  return resolutionOf(turn, create(ResolveResponseSchema, { palette, forceSatisfied }), false);
}

/** The refusal that the sidecar would have answered. */
function notRegistered({ tools }: Turn, forcedTool: string): FermataError {
  const names = tools.map(nameOf).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const facts = {
    cause: Cause.NOT_REGISTERED,
    forcedTool,
    registered: { names: names.slice(0, 16), total: names.length },
  };
  const refusal = create(RefusalSchema, {
    leaf: { case: "forcedToolUnavailable", value: facts },
    remedy: Remedy.ALIGN_COMPOSITION,
  });
  const told = {
    reason: "FORCED_TOOL_UNAVAILABLE",
    parents: ["CONTRACT_VIOLATION"],
    remedy: "ALIGN_COMPOSITION",
    metadata: { cause: "NOT_REGISTERED", forced_tool: forcedTool, registered: String(names.length) },
    refusal,
  };
  const detail = `this turn forces ${forcedTool}, which is not registered: do not call the model`;
  return new FermataError(endingHere(Code.FailedPrecondition, detail, told));
}
