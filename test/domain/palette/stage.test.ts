import { describe, expect, it } from "vitest";
import { type OperatorStage, parseOperatorStages } from "../../../src/domain/palette/operator-stages.ts";
import { describeRule } from "../../../src/domain/palette/rule-text.ts";
import { parseStages } from "../../../src/domain/palette/stage.ts";
import { operator, type StageInit, stages, toStage } from "./turns.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
const deny = { names: ["mail"] };

describe("a request's stages", () => {
  it.each<{ inits: readonly StageInit[]; field: string; rule: string }>([
    { inits: [{ name: "s" }], field: "stages[0].rule", rule: "REQUIRED" },
    { inits: [{ name: "s", allow: {} }], field: "stages[0].allow", rule: "EMPTY" },
    { inits: [{ name: "s", deny: {} }], field: "stages[0].deny", rule: "EMPTY" },
    { inits: [{ name: "", deny }], field: "stages[0].name", rule: "REQUIRED" },
    { inits: [{ name: "n".repeat(65), deny }], field: "stages[0].name", rule: "TOO_LONG" },
    { inits: [{ name: "\u0007", deny }], field: "stages[0].name", rule: "FORBIDDEN_CHARACTER" },
    { inits: [{ name: "\ud83d", deny }], field: "stages[0].name", rule: "NOT_WELL_FORMED" },
    {
      inits: [
        { name: "s", deny },
        { name: "s", deny },
      ],
      field: "stages[1].name",
      rule: "DUPLICATE",
    },
    {
      inits: [
        { name: "s", deny },
        { name: "taken", deny },
      ],
      field: "stages[1].name",
      rule: "DUPLICATE",
    },
    { inits: many(33).map((name) => ({ name, deny })), field: "stages", rule: "TOO_MANY" },
    { inits: [{ name: "s", deny: { names: many(257) } }], field: "stages[0].deny.names", rule: "TOO_MANY" },
    { inits: [{ name: "s", allow: { globs: many(257) } }], field: "stages[0].allow.globs", rule: "TOO_MANY" },
    { inits: [{ name: "s", allow: { tags: many(257) } }], field: "stages[0].allow.tags", rule: "TOO_MANY" },
    { inits: [{ name: "s", allow: { names: ["a", ""] } }], field: "stages[0].allow.names[1]", rule: "REQUIRED" },
    { inits: [{ name: "s", deny: { globs: ["*".repeat(257)] } }], field: "stages[0].deny.globs[0]", rule: "TOO_LONG" },
  ])("are refused for $rule at $field", ({ inits, field, rule }) => {
    const parsed = parseStages(inits.map(toStage), new Set(["taken"]));
    expect(parsed).toMatchObject({ kind: "invalid", violations: [{ field, rule }] });
  });

  it("may be 32, with 256 names, globs and tags each", () => {
    const full = { names: many(256), globs: many(256), tags: many(256) };
    expect(stages(...many(32).map((name) => ({ name, deny: full })))).toHaveLength(32);
  });

  it("protect the force unless they say otherwise", () => {
    const inits = [
      { name: "unset", deny },
      { name: "soft", hard: false, deny },
      { name: "hard", hard: true, deny },
    ];
    expect(stages(...inits).map(({ protectsForced }) => protectsForced)).toEqual([true, true, false]);
  });

  it("describe their rules in a line", () => {
    const inits: StageInit[] = [
      { name: "one", hard: true, deny: { globs: ["write_*"] } },
      { name: "two", allow: { names: many(5), tags: ["net"] } },
      { name: "three", limit: 0 },
    ];
    expect(stages(...inits).map(describeRule)).toEqual([
      "hard deny globs write_*",
      "soft allow names x0, x1, x2 and 2 more; tags net",
      "soft limit 0",
    ]);
  });
});

describe("an operator's stages", () => {
  const sound: OperatorStage = { name: "s", protectsForced: false, deny };

  it("report all faults at once, under their paths", () => {
    const when = Object.fromEntries(many(17).map((label) => [label, ""]));
    const parsed = parseOperatorStages([
      { ...sound, when },
      { ...sound, limit: 3 },
      { name: "t", protectsForced: true },
      { name: "u", protectsForced: true, limit: -1 },
      { name: "v", protectsForced: true, limit: 1.5 },
      { name: "w", protectsForced: true, allow: { names: [] } },
    ]);
    const faults = parsed.kind === "invalid" ? parsed.violations.map(({ field, rule }) => `${field} ${rule}`) : [];
    expect(faults.toSorted()).toEqual([
      "stages[0].when TOO_MANY",
      "stages[1].name DUPLICATE",
      "stages[1].rule AMBIGUOUS",
      "stages[2].rule REQUIRED",
      "stages[3].limit OUT_OF_RANGE",
      "stages[4].limit OUT_OF_RANGE",
      "stages[5].allow EMPTY",
    ]);
  });

  it("have a version that moves with everything that is written", () => {
    const written: OperatorStage[][] = [
      [],
      [sound],
      [{ ...sound, name: "t" }],
      [{ ...sound, protectsForced: true }],
      [{ ...sound, when: { role: "action" } }],
      [{ ...sound, when: { action: "role" } }],
      [{ name: "s", protectsForced: false, allow: deny }],
      [{ name: "s", protectsForced: false, deny: { globs: ["mail"] } }],
      [{ name: "s", protectsForced: false, deny: { tags: ["mail"] } }],
      [{ name: "s", protectsForced: false, limit: 1 }],
      [sound, { ...sound, name: "t" }],
      [{ ...sound, name: "t" }, sound],
    ];
    const versions = written.map((list) => operator(...list).version);
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions.every((version) => /^[0-9a-f]{64}$/.test(version))).toBe(true);
  });

  it("have the same version whatever the order of the labels", () => {
    const versions = [
      { a: "1", b: "2" },
      { b: "2", a: "1" },
    ].map((when) => operator({ ...sound, when }).version);
    expect(versions[0]).toBe(versions[1]);
  });
});
