import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/domain/palette/evidence.ts";
import type { Registry } from "../../../src/domain/palette/registry.ts";
import { route } from "../../../src/domain/palette/routing.ts";
import { toRoutingAnswer } from "../../../src/domain/palette/routing-answer.ts";
import { DeclineReason, type SkillRow, SkillRowSchema } from "../../../src/gen/fermata/palette/v1/palette_pb.ts";
import { registries, registry, row, rows } from "./turns.ts";

const three = registry("search", "mail", "calendar");

describe("routing", () => {
  it.each<{ evidence: Evidence; reason: DeclineReason; more?: object }>([
    { evidence: { kind: "no-layer" }, reason: DeclineReason.NO_PROCEDURAL_LAYER },
    {
      evidence: { kind: "failed", faultType: "Timeout" },
      reason: DeclineReason.RETRIEVAL_FAILED,
      more: { faultType: "Timeout" },
    },
    { evidence: { kind: "rows", rows: [] }, reason: DeclineReason.NO_SKILLS },
    { evidence: { kind: "rows", rows: [row("mail", false)] }, reason: DeclineReason.ALL_INACTIVE },
    { evidence: { kind: "rows", rows: [row(" ")] }, reason: DeclineReason.NONE_RESOLVED },
    {
      evidence: { kind: "rows", rows: [row("fax"), row("mail", false)] },
      reason: DeclineReason.NONE_RESOLVED,
      more: { unresolved: { names: ["fax"], total: 1 } },
    },
  ])("declines with reason $reason and says that every tool is offered", ({ evidence, reason, more = {} }) => {
    const answer = toRoutingAnswer(route(evidence, three));
    expect(answer).toMatchObject({ case: "declined", value: { reason, ...more } });
    expect(answer.case === "declined" && answer.value.message).toMatch(/^[A-Z].*: every tool is offered\.$/);
  });

  it.each([
    { missing: ["skill_index"], advised: true },
    { missing: ["skill_store", "tenant_id"], advised: true },
    { missing: ["registered_tools"], advised: false },
    { missing: ["skill_index", "registered_tools"], advised: false },
  ])("is unavailable without $missing; advice: $advised", ({ missing, advised }) => {
    const answer = toRoutingAnswer(route({ kind: "unavailable", missing }, three));
    expect(answer).toMatchObject({ case: "unavailable", value: { missing } });
    expect(answer.case === "unavailable" && answer.value.advice !== "").toBe(advised);
  });

  it.each([
    "\t",
    "\n",
    "\v",
    "\f",
    "\r",
    "\u001c",
    "\u001d",
    "\u001e",
    "\u001f",
    " ",
    "\u0085",
    "\u00a0",
    "\u1680",
    "\u2000",
    "\u2001",
    "\u2002",
    "\u2003",
    "\u2004",
    "\u2005",
    "\u2006",
    "\u2007",
    "\u2008",
    "\u2009",
    "\u200a",
    "\u2028",
    "\u2029",
    "\u202f",
    "\u205f",
    "\u3000",
  ])("takes surrounding %j away", (space) => {
    const found = route({ kind: "rows", rows: [row(`${space}${space}mail${space}`)] }, three);
    expect(found).toMatchObject({ kind: "routed", ranked: [{ name: "mail" }] });
  });

  it.each(["\u0000", "\u001b", "\u200b", "\u180e", "\ufeff", "\u2060", "_", "\u007f"])(
    "keeps surrounding %j",
    (other) => {
      const found = route({ kind: "rows", rows: [row(`${other}mail`)] }, three);
      expect(found).toMatchObject({ kind: "declined", unresolved: [`${other}mail`] });
    },
  );

  it("lists the first 64 unresolved names, each cut to 128 bytes on a code point, and counts them all", () => {
    const candidates = Array.from({ length: 100 }, (_, index) =>
      row(`${String(index).padStart(2, "0")}${"𝒶".repeat(40)}`),
    );
    const answer = toRoutingAnswer(route({ kind: "rows", rows: [...candidates, ...candidates] }, three));
    const unresolved = answer.case === "declined" ? answer.value.unresolved : undefined;
    expect(unresolved?.total).toBe(100);
    expect(unresolved?.names).toHaveLength(64);
    expect(unresolved?.names[1]).toBe(`01${"𝒶".repeat(31)}`);
  });

  it("agrees with a second writing of the rule over 10,000 random cases", () => {
    fc.assert(
      fc.property(registries, rows, (registered, skillRows) => {
        const found = route({ kind: "rows", rows: skillRows }, registered);
        expect(asNames(found)).toEqual(routeAgain(registered, skillRows));
      }),
      { numRuns: 10_000 },
    );
  });

  it("compares ten thousand rows", () => {
    const many = registry(...Array.from({ length: 10_000 }, (_, index) => `tool_${index}`));
    const found = route({ kind: "rows", rows: many.tools.toReversed().map(({ name }) => row(name)) }, many);
    expect(found.kind === "routed" && found.tools).toEqual(many.tools);
    expect(found.kind === "routed" && found.ranked).toEqual(many.tools.toReversed());
  });

  it("takes a tool called like a member of every object for an ordinary name", () => {
    const odd = registry("constructor", "toString");
    const found = route(
      { kind: "rows", rows: [create(SkillRowSchema, { content: "toString" }), row("__proto__")] },
      odd,
    );
    expect(asNames(found)).toEqual({ ranked: ["toString"], tools: ["toString"], unresolved: ["__proto__"] });
  });
});

function asNames(routing: ReturnType<typeof route>) {
  if (routing.kind === "routed") {
    const { ranked, tools, unresolved } = routing;
    return { ranked: ranked.map(({ name }) => name), tools: tools.map(({ name }) => name), unresolved };
  }
  return routing;
}

const separators = String.fromCodePoint(0x1c, 0x1d, 0x1e, 0x1f);
const white = new RegExp(`^[\\p{White_Space}${separators}]+|[\\p{White_Space}${separators}]+$`, "gu");

function routeAgain({ tools }: Registry, skillRows: readonly SkillRow[]) {
  const registered = tools.map(({ name }) => name);
  if (!skillRows.length) return { kind: "declined", reason: "noSkills" };
  const active = skillRows.filter((candidate) => candidate.active === undefined || candidate.active);
  if (!active.length) return { kind: "declined", reason: "allInactive" };
  const candidates = active.map((skill) => (skill.actionTool || skill.content).replace(white, "")).filter(Boolean);
  const distinct = candidates.filter((name, index) => candidates.indexOf(name) === index);
  const unresolved = distinct.filter((name) => !registered.includes(name));
  const ranked = distinct.filter((name) => registered.includes(name));
  if (!ranked.length) return { kind: "declined", reason: "noneResolved", unresolved };
  return { ranked, tools: registered.filter((name) => ranked.includes(name)), unresolved };
}
