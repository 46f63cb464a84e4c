import type { ToolRule } from "../../gen/fermata/palette/v1/palette_pb.ts";
import { checkCount, type Violation } from "../violation.ts";
import { compileGlob } from "./glob.ts";
import type { RegisteredTool } from "./registry.ts";
import { textFaults } from "./text-rule.ts";

const maxPatterns = 256;
const maxNameBytes = 128;
const maxGlobBytes = 256;
const maxTagBytes = 64;

/** Whether a rule speaks of this tool. */
export type ToolMatcher = (tool: RegisteredTool) => boolean;

/** A matcher of the tools that one of the rule's names, globs or tags says. The rule has been checked. */
export function compileToolRule(rule: ToolRule): ToolMatcher {
  const names = new Set(rule.names);
  const tags = new Set(rule.tags);
  const globs = rule.globs.map(compileGlob);
  return (tool) =>
    names.has(tool.name) || tool.tags.some((tag) => tags.has(tag)) || globs.some((matches) => matches(tool.name));
}

/** What is wrong with a rule: it says nothing, says too much, or holds a text that no tool can have. */
export function toolRuleFaults(field: string, { names, globs, tags }: ToolRule): readonly Violation[] {
  if (names.length + globs.length + tags.length === 0) {
    return [{ field, rule: "EMPTY", description: "says nothing; a name, a glob or a tag is needed" }];
  }
  return [
    ...patternFaults(`${field}.names`, names, maxNameBytes),
    ...patternFaults(`${field}.globs`, globs, maxGlobBytes),
    ...patternFaults(`${field}.tags`, tags, maxTagBytes),
  ];
}

function patternFaults(field: string, patterns: readonly string[], maxBytes: number): readonly Violation[] {
  const tooMany = checkCount(field, patterns.length, maxPatterns);
  return tooMany.length > 0 ? tooMany : textFaults(field, patterns, maxBytes);
}
