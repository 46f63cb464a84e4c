import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Offer, offeredTools, offers } from "../../../src/domain/palette/offer.ts";
import { inRegistryOrder, type RegisteredTool, type Registry } from "../../../src/domain/palette/registry.ts";
import { select } from "../../../src/domain/palette/selection.ts";
import type { Labels, SelectionStage } from "../../../src/domain/palette/stage.ts";
import { operator, registries, registry, type StageInit, stageInits, stages } from "./turns.ts";

const full: Offer = { kind: "full" };
const five = registry("read_file#fs", "write_file#fs", "write_db", "http#net", "mail#net");

describe("a stage", () => {
  it.each<{ stage: StageInit; forced?: string; kept: string[] | "full"; emptiedBy?: string }>([
    { stage: { name: "s", allow: { names: ["mail", "http"] } }, kept: ["http", "mail"] },
    { stage: { name: "s", allow: { globs: ["write_*"] } }, kept: ["write_file", "write_db"] },
    { stage: { name: "s", allow: { tags: ["net"] } }, kept: ["http", "mail"] },
    { stage: { name: "s", allow: { names: ["mail"], tags: ["fs"] } }, kept: ["read_file", "write_file", "mail"] },
    { stage: { name: "s", deny: { names: ["mail"] } }, kept: ["read_file", "write_file", "write_db", "http"] },
    { stage: { name: "s", deny: { globs: ["*_*"] } }, kept: ["http", "mail"] },
    { stage: { name: "s", deny: { tags: ["net", "fs"] } }, kept: ["write_db"] },
    { stage: { name: "s", deny: { names: ["nowhere"] } }, kept: "full" },
    { stage: { name: "s", allow: { globs: ["*"] } }, kept: "full" },
    { stage: { name: "s", deny: { globs: ["*"] } }, kept: [], emptiedBy: "s" },
    { stage: { name: "s", limit: 2 }, kept: ["read_file", "write_file"] },
    { stage: { name: "s", limit: 0 }, kept: [], emptiedBy: "s" },
    { stage: { name: "s", limit: 5 }, kept: "full" },
    { stage: { name: "s", limit: 2 }, forced: "mail", kept: ["read_file", "write_file", "mail"] },
    { stage: { name: "s", limit: 2 }, forced: "read_file", kept: ["read_file", "write_file"] },
    { stage: { name: "s", limit: 4 }, forced: "mail", kept: "full" },
    { stage: { name: "s", hard: true, limit: 2 }, forced: "mail", kept: ["read_file", "write_file"] },
    { stage: { name: "s", deny: { names: ["http"] } }, forced: "http", kept: "full" },
    { stage: { name: "s", deny: { globs: ["*"] } }, forced: "http", kept: ["http"] },
    { stage: { name: "s", hard: true, deny: { globs: ["*"] } }, forced: "http", kept: [], emptiedBy: "s" },
  ])("$stage keeps $kept, forced $forced", ({ stage, forced, kept, emptiedBy }) => {
    const [effect] = select(full, stages(stage), turn(five, forced));
    const after = effect?.after ?? full;
    expect(after.kind === "full" ? "full" : after.tools.map(({ name }) => name)).toEqual(kept);
    expect(after.kind === "full" ? undefined : after.emptiedBy).toBe(emptiedBy);
  });

  it("limits to the best: routing order first, then registry order, answered in registry order", () => {
    const ranked = ["mail", "write_db"].flatMap((name) => five.byName.get(name) ?? []);
    const [effect] = select(full, stages({ name: "s", limit: 3 }), { ...turn(five), ranked });
    expect(namesOf(effect?.after, five)).toEqual(["read_file", "write_db", "mail"]);
  });

  it("counts only what is still offered towards a limit", () => {
    const ranked = ["mail", "http", "write_db"].flatMap((name) => five.byName.get(name) ?? []);
    const effects = select(full, stages({ name: "no-mail", deny: { names: ["mail"] } }, { name: "two", limit: 2 }), {
      ...turn(five),
      ranked,
    });
    expect(namesOf(effects.at(-1)?.after, five)).toEqual(["write_db", "http"]);
  });

  it("stays the one that emptied the offer, whatever comes later", () => {
    const list = stages(
      { name: "first", limit: 0 },
      { name: "second", limit: 0 },
      { name: "third", deny: { globs: ["*"] } },
    );
    expect(select(full, list, turn(five)).map(({ after }) => after)).toEqual(
      Array.from({ length: 3 }, () => ({ kind: "explicit", tools: [], emptiedBy: "first" })),
    );
  });

  it.each<{ protectsForced: boolean; labels: Labels; applied: boolean }>([
    { protectsForced: true, labels: { role: "action", agent: "x" }, applied: true },
    { protectsForced: true, labels: { role: "action" }, applied: false },
    { protectsForced: true, labels: { role: "other", agent: "x" }, applied: false },
    { protectsForced: true, labels: {}, applied: false },
    { protectsForced: false, labels: { role: "action", agent: "x", more: "y" }, applied: true },
    { protectsForced: false, labels: { role: "action" }, applied: true },
    { protectsForced: false, labels: {}, applied: true },
    { protectsForced: false, labels: { constructor: "x" }, applied: true },
    { protectsForced: false, labels: { role: "" }, applied: false },
    { protectsForced: false, labels: { role: "other" }, applied: false },
    { protectsForced: false, labels: { role: "other", agent: "x" }, applied: false },
    { protectsForced: false, labels: { role: "Action", agent: "x" }, applied: false },
  ])("of the operator with labels $labels, protecting $protectsForced, applies: $applied", ({ labels, ...stage }) => {
    const when = { role: "action", agent: "x" };
    const { stages: list } = operator({
      name: "s",
      when,
      deny: { names: ["mail"] },
      protectsForced: stage.protectsForced,
    });
    expect(select(full, list, { ...turn(five), labels }).map(({ applied }) => applied)).toEqual([stage.applied]);
  });
});

describe("any stages", () => {
  const turns = (hard: fc.Arbitrary<boolean>) =>
    fc.record({
      registered: registries.filter(({ tools }) => tools.length > 0),
      inits: stageInits(hard),
      forcedAt: fc.nat(9),
      routedAt: fc.array(fc.nat(9), { maxLength: 6 }),
    });

  it("answer a subsequence of what was offered, and never widen", () => {
    fc.assert(
      fc.property(turns(fc.boolean()), (input) => {
        const { effects, registered } = run(input);
        for (const { before, after } of effects) {
          const left = offeredTools(after, registered);
          expect(left).toEqual(offeredTools(before, registered).filter((tool) => left.includes(tool)));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("never lose the force if they protect it", () => {
    fc.assert(
      fc.property(turns(fc.constant(false)), (input) => {
        const { effects, forced } = run(input);
        expect(effects.every(({ after }) => offers(after, forced))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never bring back a force that a hard filter took", () => {
    fc.assert(
      fc.property(turns(fc.boolean()), (input) => {
        const { effects, forced } = run(input);
        const lost = effects.findIndex(({ after }) => !offers(after, forced));
        expect(lost < 0 || effects[lost]?.stage.protectsForced).toBe(lost < 0);
        expect(effects.slice(lost < 0 ? effects.length : lost).some(({ after }) => offers(after, forced))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are full only while nothing was narrowed", () => {
    fc.assert(
      fc.property(turns(fc.boolean()), (input) => {
        const { effects, registered, start } = run(input);
        const last = effects.at(-1)?.after ?? start;
        const narrowed = offeredTools(last, registered).length < registered.tools.length;
        expect(last.kind).toBe(start.kind === "explicit" || narrowed ? "explicit" : "full");
      }),
      { numRuns: 2_000 },
    );
  });
});

interface Input {
  readonly registered: Registry;
  readonly inits: readonly StageInit[];
  readonly forcedAt: number;
  readonly routedAt: readonly number[];
}

function run({ registered, inits, forcedAt, routedAt }: Input) {
  const list: readonly SelectionStage[] = stages(...inits);
  const at = (index: number) => registered.tools[index % registered.tools.length] as RegisteredTool; // there is at least one
  const forced = at(forcedAt);
  const ranked = [...new Set(routedAt.map(at))];
  const start: Offer =
    ranked.length === 0
      ? full
      : { kind: "explicit", tools: inRegistryOrder([...ranked, forced]), emptiedBy: undefined };
  return {
    registered,
    forced,
    start,
    effects: select(start, list, { registry: registered, forced, labels: {}, ranked }),
  };
}

function turn(registered: Registry, forced?: string) {
  return { registry: registered, forced: registered.byName.get(forced ?? ""), labels: {}, ranked: [] };
}

function namesOf(offer: Offer | undefined, registered: Registry) {
  return offer && offeredTools(offer, registered).map(({ name }) => name);
}
