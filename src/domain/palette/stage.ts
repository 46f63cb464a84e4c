import type { Stage } from "../../gen/fermata/palette/v1/palette_pb.ts";
import { ok } from "../outcome.ts";
import { checkCount, invalid, type Parsed, type Violation } from "../violation.ts";
import { textFault } from "./text-rule.ts";
import { compileToolRule, type ToolMatcher, toolRuleFaults } from "./tool-rule.ts";

/** A selection stage that has been checked and is ready to run. */
export interface SelectionStage {
  readonly name: string;
  /** False: a hard filter, which may take the forced tool away. */
  readonly protectsForced: boolean;
  /** Labels that the request must have for the stage to apply. Only an operator's stage has any. */
  readonly when: Labels;
  readonly rule: SelectionRule;
  /** The rule as it was written, for a trace and for the version of an operator's stages. */
  readonly written: WrittenRule;
}

/** Labels of a request, or those that a stage asks for. */
export type Labels = Readonly<Record<string, string>>;

/** What a stage keeps: the tools that match, those that do not, or the best. */
export type SelectionRule =
  | { readonly kind: "allow" | "deny"; readonly matches: ToolMatcher }
  | { readonly kind: "limit"; readonly count: number };

/** A stage's rule as in the contract, once there is one. */
export type WrittenRule = Exclude<Stage["rule"], { case: undefined }>;

const maxStages = 32;
const maxStageNameBytes = 64;

/** Proves the stages of a request. Their names may not be those of the operator's stages: a refusal names one stage only. */
export function parseStages(stages: readonly Stage[], taken: ReadonlySet<string>): Parsed<readonly SelectionStage[]> {
  const faults = stagesFaults("stages", stages, taken);
  return faults.length > 0 ? invalid(faults) : ok(stages.flatMap((stage) => compileStage(stage, {})));
}

/** All that is wrong with these stages. `taken` are names that they may not have. */
export function stagesFaults(
  field: string,
  stages: readonly Stage[],
  taken: ReadonlySet<string>,
): readonly Violation[] {
  const tooMany = checkCount(field, stages.length, maxStages);
  if (tooMany.length > 0) return tooMany;
  const names = new Set(taken);
  return stages.flatMap((stage, index) => {
    const faults = stageFaults(`${field}[${index}]`, stage, names);
    names.add(stage.name);
    return faults;
  });
}

/** The stage, ready to run; none for a stage without a rule, which `stagesFaults` reports. */
export function compileStage(stage: Stage, when: Labels): readonly SelectionStage[] {
  const { name, protectsForced = true, rule: written } = stage;
  return written.case === undefined ? [] : [{ name, protectsForced, when, rule: compileRule(written), written }];
}

function compileRule(written: WrittenRule): SelectionRule {
  switch (written.case) {
    case "allow":
    case "deny":
      return { kind: written.case, matches: compileToolRule(written.value) };
    case "limit":
      return { kind: "limit", count: written.value };
  }
}

function stageFaults(field: string, { name, rule }: Stage, taken: ReadonlySet<string>): readonly Violation[] {
  const nameFault = textFault(`${field}.name`, name, maxStageNameBytes) ?? takenFault(`${field}.name`, name, taken);
  return [...(nameFault === undefined ? [] : [nameFault]), ...ruleFaults(field, rule)];
}

function takenFault(field: string, name: string, taken: ReadonlySet<string>): Violation | undefined {
  if (!taken.has(name)) return undefined;
  const description = "is the name of another stage; names are unique over the config and the request";
  return { field, rule: "DUPLICATE", description };
}

function ruleFaults(field: string, rule: Stage["rule"]): readonly Violation[] {
  switch (rule.case) {
    case "allow":
    case "deny":
      return toolRuleFaults(`${field}.${rule.case}`, rule.value);
    case "limit":
      return [];
    case undefined:
      return [{ field: `${field}.rule`, rule: "REQUIRED", description: "is not set; allow, deny or limit is needed" }];
  }
}
