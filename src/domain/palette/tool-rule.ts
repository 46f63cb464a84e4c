import type { ToolRule } from "../../gen/fermata/palette/v1/palette_pb.ts";
import { utf8Length } from "../short-text.ts";
import { checkCount, type Violation } from "../violation.ts";
import { compileGlob } from "./glob.ts";
import type { RegisteredTool } from "./registry.ts";

const maxPatterns = 256;

/** Longer than any name, and short enough that a glob of stars costs microseconds. */
const maxPatternBytes = 256;

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

/** What is wrong with a rule: it says nothing, or too much. */
export function toolRuleFaults(field: string, { names, globs, tags }: ToolRule): readonly Violation[] {
  if (names.length + globs.length + tags.length === 0) {
    return [{ field, rule: "EMPTY", description: "says nothing; a name, a glob or a tag is needed" }];
  }
  return [
    ...patternsFaults(`${field}.names`, names),
    ...patternsFaults(`${field}.globs`, globs),
    ...patternsFaults(`${field}.tags`, tags),
  ];
}

function patternsFaults(field: string, patterns: readonly string[]): readonly Violation[] {
  const tooMany = checkCount(field, patterns.length, maxPatterns);
  if (tooMany.length > 0) return tooMany;
  return patterns.flatMap((pattern, index) => patternFault(`${field}[${index}]`, pattern) ?? []);
}

/** Patterns are compared, never stored or printed as names: only nothing at all and what is endless is refused. */
function patternFault(field: string, pattern: string): Violation | undefined {
  if (pattern === "") return { field, rule: "REQUIRED", description: "is empty; it would fit nothing" };
  const bytes = utf8Length(pattern);
  if (bytes <= maxPatternBytes) return undefined;
  return { field, rule: "TOO_LONG", description: `has ${bytes} bytes; at most ${maxPatternBytes} are allowed` };
}
