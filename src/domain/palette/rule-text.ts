import type { ToolRule } from "../../gen/fermata/palette/v1/palette_pb.ts";
import type { SelectionStage, WrittenRule } from "./stage.ts";

const maxNamed = 3;

/** A stage's rule for a person, such as `hard deny globs write_*`. Long lists are counted. */
export function describeRule({ protectsForced, written }: SelectionStage): string {
  return `${protectsForced ? "soft" : "hard"} ${ruleText(written)}`;
}

function ruleText(written: WrittenRule): string {
  switch (written.case) {
    case "allow":
    case "deny":
      return `${written.case} ${toolRuleText(written.value)}`;
    case "limit":
      return `limit ${written.value}`;
  }
}

function toolRuleText({ names, globs, tags }: ToolRule): string {
  return [listText("names", names), listText("globs", globs), listText("tags", tags)].filter(Boolean).join("; ");
}

function listText(kind: string, texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const more = texts.length > maxNamed ? ` and ${texts.length - maxNamed} more` : "";
  return `${kind} ${texts.slice(0, maxNamed).join(", ")}${more}`;
}
