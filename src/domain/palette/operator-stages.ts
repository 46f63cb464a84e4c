import { create } from "@bufbuild/protobuf";
import { type Stage, StageSchema, ToolRuleSchema } from "../../gen/fermata/palette/v1/palette_pb.ts";
import { hex, sha256 } from "../digest.ts";
import { ok } from "../outcome.ts";
import { checkCount, invalid, type Parsed, type Violation } from "../violation.ts";
import { compileStage, type Labels, type SelectionStage, stagesFaults, type WrittenRule } from "./stage.ts";

/** The operator's stages, checked: they run before the request's, and no request can skip them. */
export interface OperatorStages {
  readonly stages: readonly SelectionStage[];
  readonly names: ReadonlySet<string>;
  /** A digest of what was written, so that two decisions can be known to stand under the same rules. */
  readonly version: string;
}

/** A stage as the config file has it. `protectsForced` must be written: an operator says which it is. */
export interface OperatorStage {
  readonly name: string;
  readonly protectsForced: boolean;
  readonly when?: Labels | undefined;
  readonly allow?: OperatorRule | undefined;
  readonly deny?: OperatorRule | undefined;
  readonly limit?: number | undefined;
}

/** A list that is left out is empty. */
interface OperatorRule {
  readonly names?: readonly string[] | undefined;
  readonly globs?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

const maxLabels = 16;

/** Proves the stages of a config, or names everything that is wrong with them under paths that begin with `stages`. */
export function parseOperatorStages(written: readonly OperatorStage[]): Parsed<OperatorStages> {
  const messages = written.map(toMessage);
  const faults = [...written.flatMap(configFaults), ...stagesFaults("stages", messages, new Set())];
  if (faults.length > 0) return invalid(faults);
  const stages = messages.flatMap((message, index) => compileStage(message, written[index]?.when ?? {}));
  return ok({ stages, names: new Set(stages.map(({ name }) => name)), version: versionOf(stages) });
}

function toMessage({ name, protectsForced, ...rules }: OperatorStage): Stage {
  return create(StageSchema, { name, protectsForced, rule: toRule(rules) });
}

function toRule({ allow, deny, limit }: Pick<OperatorStage, "allow" | "deny" | "limit">): Stage["rule"] {
  if (allow !== undefined) return { case: "allow", value: toToolRule(allow) };
  if (deny !== undefined) return { case: "deny", value: toToolRule(deny) };
  return limit === undefined ? { case: undefined } : { case: "limit", value: limit };
}

function toToolRule({ names = [], globs = [], tags = [] }: OperatorRule) {
  return create(ToolRuleSchema, { names: [...names], globs: [...globs], tags: [...tags] });
}

function configFaults({ allow, deny, limit, when = {} }: OperatorStage, index: number): readonly Violation[] {
  const field = `stages[${index}]`;
  const rules = [allow, deny, limit].filter((rule) => rule !== undefined).length;
  return [
    ...checkCount(`${field}.when`, Object.keys(when).length, maxLabels),
    ...(rules > 1 ? [ambiguous(field, rules)] : []),
    ...(limit === undefined || isCount(limit) ? [] : [notACount(`${field}.limit`)]),
  ];
}

function ambiguous(field: string, rules: number): Violation {
  const description = `has ${rules} rules; exactly one of allow, deny and limit is allowed`;
  return { field: `${field}.rule`, rule: "AMBIGUOUS", description };
}

function isCount(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 0 && limit <= 0xffffffff;
}

function notACount(field: string): Violation {
  return { field, rule: "OUT_OF_RANGE", description: "is not a whole number from 0 to 4294967295" };
}

function versionOf(stages: readonly SelectionStage[]): string {
  const parts = stages.flatMap(({ name, protectsForced, when, written }) => [
    name,
    protectsForced ? "soft" : "hard",
    ...counted(sortedByKey(when).flat()),
    ...ruleParts(written),
  ]);
  return hex(sha256("fermata.palette.stages/1", parts));
}

function sortedByKey(labels: Labels): [string, string][] {
  return Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
}

function ruleParts(written: WrittenRule): readonly string[] {
  switch (written.case) {
    case "allow":
    case "deny": {
      const { names, globs, tags } = written.value;
      return [written.case, ...counted(names), ...counted(globs), ...counted(tags)];
    }
    case "limit":
      return [written.case, String(written.value)];
  }
}

function counted(texts: readonly string[]): readonly string[] {
  return [String(texts.length), ...texts];
}
