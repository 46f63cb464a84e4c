import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { type OperatorStage, parseOperatorStages } from "../../../src/domain/palette/operator-stages.ts";
import { parseRegistry, type Registry } from "../../../src/domain/palette/registry.ts";
import { parseStages, type SelectionStage } from "../../../src/domain/palette/stage.ts";
import type { Parsed } from "../../../src/domain/violation.ts";
import {
  RegistrySchema,
  type SkillRow,
  SkillRowSchema,
  StageSchema,
} from "../../../src/gen/fermata/palette/v1/palette_pb.ts";

/** The value of input that a test knows to be sound. */
export function proved<T>(parsed: Parsed<T>): T {
  if (parsed.kind === "ok") return parsed.value;
  throw new Error(JSON.stringify(parsed.violations));
}

/** A registry of these names; `name#tag,tag` gives a tool tags. */
export function registry(...tools: readonly string[]): Registry {
  const messages = tools.map((tool) => {
    const [name = "", tags] = tool.split("#");
    return { name, tags: tags?.split(",") ?? [] };
  });
  return proved(parseRegistry(create(RegistrySchema, { tools: messages })));
}

/** The stages of a request. */
export function stages(...inits: readonly StageInit[]): readonly SelectionStage[] {
  return proved(parseStages(inits.map(toStage), new Set()));
}

/** The stages of a config. */
export function operator(...written: readonly OperatorStage[]) {
  return proved(parseOperatorStages(written));
}

/** A stage, written short. */
export type StageInit = {
  readonly name: string;
  readonly hard?: boolean;
  readonly allow?: Patterns;
  readonly deny?: Patterns;
  readonly limit?: number;
};

interface Patterns {
  readonly names?: string[];
  readonly globs?: string[];
  readonly tags?: string[];
}

/** The message of a stage. */
export function toStage({ name, hard, allow, deny, limit }: StageInit) {
  const rule =
    allow !== undefined
      ? ({ case: "allow", value: allow } as const)
      : deny !== undefined
        ? ({ case: "deny", value: deny } as const)
        : limit !== undefined
          ? ({ case: "limit", value: limit } as const)
          : ({ case: undefined } as const);
  return create(StageSchema, { name, rule, ...(hard === undefined ? {} : { protectsForced: !hard }) });
}

/** A row whose action tool is this. */
export function row(actionTool: string, active?: boolean): SkillRow {
  return create(SkillRowSchema, { actionTool, ...(active === undefined ? {} : { active }) });
}

/** Names that collide, nest and differ in one code point. */
export const names = fc.constantFrom(
  "a",
  "b",
  "c",
  "ab",
  "abc",
  "b_a",
  "A",
  "ä",
  "𝒶",
  "read_file",
  "write_file",
  "write_db",
);

/** A registry of up to ten different names, some with tags. */
export const registries: fc.Arbitrary<Registry> = fc
  .uniqueArray(fc.tuple(names, fc.subarray(["net", "fs"])), { selector: ([name]) => name, maxLength: 10 })
  .map((tools) => registry(...tools.map(([name, tags]) => (tags.length === 0 ? name : `${name}#${tags.join()}`))));

const patterns: fc.Arbitrary<Patterns> = fc
  .record({
    names: fc.array(names, { maxLength: 3 }),
    globs: fc.array(fc.constantFrom("*", "?", "a*", "*b*", "write_*", "??"), { maxLength: 2 }),
    tags: fc.subarray(["net", "fs"]),
  })
  .filter((rule) => rule.names.length + rule.globs.length + rule.tags.length > 0);

const rules: fc.Arbitrary<Omit<StageInit, "name" | "hard">> = fc.oneof(
  fc.record({ allow: patterns }),
  fc.record({ deny: patterns }),
  fc.record({ limit: fc.nat(6) }),
);

/** Up to five stages with names of their own; `hard` says which of them are hard filters. */
export function stageInits(hard: fc.Arbitrary<boolean>): fc.Arbitrary<readonly StageInit[]> {
  return fc
    .array(fc.tuple(rules, hard), { maxLength: 5 })
    .map((list) => list.map(([rule, isHard], index) => ({ name: `s${index}`, hard: isHard, ...rule })));
}

/** Rows as hosts send them: named, unnamed, blank, in white space, turned off, prose. */
export const rows: fc.Arbitrary<SkillRow[]> = fc.array(
  fc
    .record(
      {
        actionTool: fc.oneof(names, fc.constantFrom("", " ", " a ", "\u0085b\u2003", "\ufeffc", "\u001cab", "fax")),
        content: fc.oneof(names, fc.constantFrom("", "\t", "prose about a tool", "b\n")),
        active: fc.boolean(),
      },
      { requiredKeys: ["content"] },
    )
    .map((init) => create(SkillRowSchema, init)),
  { maxLength: 8 },
);
