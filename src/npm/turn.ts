import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { SkillRowSchema, StageSchema } from "../gen/fermata/palette/v1/palette_pb.ts";
import { type ResolveRequest, ResolveRequestSchema } from "../gen/fermata/palette/v1/palette_service_pb.ts";

/** A registered tool: its name, or its name and the tags that stages may select by. */
export type RegisteredTool = string | { readonly name: string; readonly tags?: readonly string[] };

/** Rows of the host's procedural layer, the most relevant first; a string is the name of a tool. */
export type SkillRows = readonly (string | MessageInitShape<typeof SkillRowSchema>)[];

/** What the procedural layer says. A function is called only while something is registered; what it throws declines the routing. */
export type Skills =
  | SkillRows
  | (() => SkillRows | Promise<SkillRows>)
  | { readonly query: string; readonly limit?: number }
  | { readonly missing: readonly string[] };

/** One model call. */
export interface Turn {
  /** All registered tools of the deployment, in order. */
  readonly tools: readonly RegisteredTool[];
  /** Undefined: the host has no procedural layer. */
  readonly skills?: Skills;
  readonly alwaysOffer?: readonly string[];
  /** After those of the operator. One with `protectsForced: false` is a hard filter. */
  readonly stages?: readonly MessageInitShape<typeof StageSchema>[];
  /** The tool that this model call must use. Undefined: the model is free. */
  readonly force?: string;
  /** What was called in this turn so far; a force among them is lifted. */
  readonly callsMade?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly explain?: boolean;
}

/** The request of a turn, still without its registry. */
export async function requestOf(turn: Turn, tenant: string): Promise<ResolveRequest> {
  return create(ResolveRequestSchema, {
    alwaysOffer: [...(turn.alwaysOffer ?? [])],
    stages: [...(turn.stages ?? [])],
    callsMade: [...(turn.callsMade ?? [])],
    labels: { ...turn.labels },
    explain: turn.explain ?? false,
    procedural: await proceduralOf(turn, tenant),
    ...(turn.force !== undefined && { forcedTool: turn.force }),
  });
}

type Procedural = NonNullable<MessageInitShape<typeof ResolveRequestSchema>["procedural"]>;

async function proceduralOf({ skills, tools }: Turn, tenant: string): Promise<Procedural> {
  if (skills === undefined) return { case: undefined };
  if (typeof skills !== "function") return givenSkills(skills, tenant);
  try {
    return givenSkills(tools.length === 0 ? [] : await skills(), tenant);
  } catch (thrown) {
    // Nothing that a host's layer does may fail a turn; only the class of the fault is told.
    return { case: "retrievalFailed", value: { type: thrown instanceof Error ? thrown.name : typeof thrown } };
  }
}

function givenSkills(skills: Exclude<Skills, () => unknown>, tenant: string): Procedural {
  if ("query" in skills) {
    return { case: "query", value: { tenantId: tenant, text: skills.query, limit: skills.limit ?? 0 } };
  }
  if ("missing" in skills) return { case: "unavailable", value: { missing: [...skills.missing] } };
  return {
    case: "skills",
    value: { rows: skills.map((row) => (typeof row === "string" ? { actionTool: row } : row)) },
  };
}
