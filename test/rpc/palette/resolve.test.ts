import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeclineReason, SkillRowsSchema } from "../../../src/gen/fermata/palette/v1/palette_pb.ts";
import {
  RegisterToolsRequestSchema,
  type ResolveRequest,
  ResolveRequestSchema,
} from "../../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { names, rows, stageInits, toStage } from "../../domain/palette/turns.ts";
import { arrived, bytesOf, call, paletteService, request } from "./palette-calls.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
const rowsOf = (...tools: string[]) =>
  ({ case: "skills", value: { rows: tools.map((actionTool) => ({ actionTool })) } }) as const;

describe("a Resolve request", () => {
  it.each<{ sent: ResolveRequest; field: string; rule: string }>([
    { sent: create(ResolveRequestSchema, {}), field: "registered", rule: "REQUIRED" },
    { sent: request([""]), field: "registry.tools[0].name", rule: "REQUIRED" },
    { sent: request(["a"], { procedural: rowsOf(...many(10_001)) }), field: "skills.rows", rule: "TOO_MANY" },
    { sent: request(["a"], { alwaysOffer: many(1_025) }), field: "always_offer", rule: "TOO_MANY" },
    { sent: request(["a"], { callsMade: many(1_025) }), field: "calls_made", rule: "TOO_MANY" },
    {
      sent: request(["a"], { labels: Object.fromEntries(many(17).map((label) => [label, ""])) }),
      field: "labels",
      rule: "TOO_MANY",
    },
    { sent: request(["a"], { stages: [toStage({ name: "s" })] }), field: "stages[0].rule", rule: "REQUIRED" },
    {
      sent: request(["a"], { stages: [toStage({ name: "op", limit: 1 })] }),
      field: "stages[0].name",
      rule: "DUPLICATE",
    },
  ])("is refused for $rule at $field", async ({ sent, field, rule }) => {
    const { resolve } = paletteService({ stages: [{ name: "op", protectsForced: true, limit: 9 }] });
    expect(await resolve(sent, call())).toMatchObject({
      kind: "refusal",
      leaf: { case: "invalidRequest", value: { violations: [{ field, rule }] } },
    });
  });

  it("may have every list at its limit", async () => {
    const sent = request(many(10_000), {
      procedural: rowsOf(...many(10_000)),
      alwaysOffer: many(1_024),
      callsMade: many(1_024),
      labels: Object.fromEntries(many(16).map((label) => [label, ""])),
      stages: many(32).map((name) => toStage({ name, limit: 20_000 })),
    });
    expect(await paletteService().resolve(sent, call())).toMatchObject({ kind: "ok" });
  });

  it("says at most four things that are wrong, in the order of its fields", async () => {
    const sent = request(["", ""], {
      stages: [toStage({ name: "" }), toStage({ name: "" })],
      alwaysOffer: many(2_000),
    });
    const outcome = await paletteService().resolve(sent, call());
    const leaf = outcome.kind === "refusal" ? outcome.leaf : undefined;
    const violations = leaf?.case === "invalidRequest" ? leaf.value.violations : [];
    expect(violations.map(({ field }) => field)).toEqual([
      "registry.tools[0].name",
      "registry.tools[1].name",
      "stages[0].name",
      "stages[0].rule",
    ]);
  });

  it("is judged whole before its digest is looked up", async () => {
    const registered = { case: "registryDigest", value: new Uint8Array(32) } as const;
    const unknown = await paletteService().resolve(create(ResolveRequestSchema, { registered }), call());
    const wrong = await paletteService().resolve(
      create(ResolveRequestSchema, { registered, stages: [toStage({ name: "s" })] }),
      call(),
    );
    expect([unknown, wrong]).toMatchObject([
      { leaf: { case: "registryUnknown" } },
      { leaf: { case: "invalidRequest" } },
    ]);
  });

  it("is answered at once, with no promise, when nothing has to be asked", () => {
    expect(paletteService().resolve(request(["a"]), call())).toMatchObject({ kind: "ok" });
  });
});

describe("the prerequisites of routing", () => {
  const query = (tenantId: string) => ({ case: "query", value: { tenantId, text: "t" } }) as const;
  const unavailable = (...missing: string[]) => ({ case: "unavailable", value: { missing } }) as const;

  it.each([
    { tools: ["a"], procedural: query("t"), missing: ["skill_store"] },
    { tools: ["a"], procedural: query(""), missing: ["skill_store", "tenant_id"] },
    { tools: [], procedural: query(""), missing: ["registered_tools", "skill_store", "tenant_id"] },
    { tools: [], procedural: rowsOf("a"), missing: ["registered_tools"] },
    { tools: [], procedural: rowsOf(), missing: ["registered_tools"] },
    { tools: [], procedural: unavailable("own", "other"), missing: ["own", "other", "registered_tools"] },
    { tools: [], procedural: unavailable("registered_tools"), missing: ["registered_tools"] },
    { tools: ["a"], procedural: unavailable(), missing: [] },
  ])("are $missing for $procedural.case over $tools", async ({ tools, procedural, missing }) => {
    const outcome = await paletteService().resolve(request(tools, { procedural }), call());
    expect(outcome).toMatchObject({
      kind: "ok",
      value: {
        routing: { case: "unavailable", value: { missing } },
        palette: { offer: { case: "full" } },
        decision: { certifiesCutover: false },
      },
    });
  });

  it("do not keep selection from running", async () => {
    const stages = [toStage({ name: "s", deny: { names: ["a"] } })];
    const outcome = await paletteService().resolve(
      request(["a", "b"], { procedural: unavailable("own"), stages }),
      call(),
    );
    expect(outcome).toMatchObject({ value: { palette: { offer: { case: "explicit", value: { names: ["b"] } } } } });
  });

  it("are not asked for by a host without a procedural layer", async () => {
    const outcome = await paletteService().resolve(request([]), call());
    expect(outcome).toMatchObject({ value: { routing: { value: { reason: DeclineReason.NO_PROCEDURAL_LAYER } } } });
  });
});

describe("a force", () => {
  const deny = [toStage({ name: "hard", hard: true, deny: { globs: ["*"] } })];
  const refused = { kind: "refusal", leaf: { case: "forcedToolUnavailable" } };

  it.each([
    { about: "the empty name", forcedTool: "" },
    { about: "a name with a control character", forcedTool: "a\u0000" },
    { about: "a lone surrogate", forcedTool: "\ud800" },
    { about: "another case", forcedTool: "A" },
    { about: "a member of every object", forcedTool: "constructor" },
    { about: "a megabyte", forcedTool: "a".repeat(1_000_000) },
  ])("is compared, never validated: $about is not registered", async ({ forcedTool }) => {
    expect(await paletteService().resolve(request(["a"], { forcedTool }), call())).toMatchObject(refused);
  });

  it("that was satisfied protects nothing and is checked against nothing", async () => {
    const service = paletteService();
    const satisfied = { forcedTool: "gone", callsMade: ["gone"] };
    expect(await service.resolve(request(["a"], satisfied), call())).toMatchObject({
      kind: "ok",
      value: { forceSatisfied: true },
    });
    const soft = [toStage({ name: "soft", limit: 0 })];
    const outcome = await service.resolve(request(["a"], { forcedTool: "a", callsMade: ["a"], stages: soft }), call());
    expect(outcome).toMatchObject({ value: { palette: { offer: { value: { names: [], emptiedBy: "soft" } } } } });
  });

  it("that is refused lists only what its cause is about", async () => {
    const service = paletteService();
    const missing = await service.resolve(request(["b", "a"], { forcedTool: "x", stages: deny }), call());
    const excluded = await service.resolve(request(["b", "a"], { forcedTool: "a", stages: deny }), call());
    expect(missing).toMatchObject({
      leaf: { value: { registered: { names: ["a", "b"], total: 2 }, excludingStage: "" } },
    });
    expect(missing.kind === "refusal" && missing.leaf.value).not.toHaveProperty("palette");
    expect(excluded).toMatchObject({ leaf: { value: { palette: { total: 0 }, excludingStage: "hard" } } });
    expect(excluded.kind === "refusal" && excluded.leaf.value).not.toHaveProperty("registered");
  });

  it("that the operator's hard filter took names that stage, even if the request's would take it too", async () => {
    const service = paletteService({ stages: [{ name: "op", protectsForced: false, deny: { names: ["a"] } }] });
    const outcome = await service.resolve(request(["a", "b"], { forcedTool: "a", stages: deny }), call());
    expect(outcome).toMatchObject({ leaf: { value: { excludingStage: "op" } } });
  });
});

describe("a decision", () => {
  it("says whether a hard filter applied, also one that took nothing", async () => {
    const hard = { name: "op", protectsForced: false, deny: { names: ["nowhere"] }, when: { role: "action" } };
    const service = paletteService({ stages: [hard] });
    const answers = [{ role: "action" }, {}, { role: "other" }].map(async (labels) => {
      const outcome = await service.resolve(request(["a"], { labels }), call());
      return outcome.kind === "ok" && [outcome.value.decision?.hardFilters, outcome.value.palette?.offer.case];
    });
    expect(await Promise.all(answers)).toEqual([
      [true, "full"],
      [true, "full"],
      [false, "full"],
    ]);
  });

  it("has another palette digest for another offer or another force", async () => {
    const service = paletteService();
    const denied = (name: string) => ({ stages: [toStage({ name: "s", deny: { names: [name] } })] });
    const turns = [
      {},
      { forcedTool: "a" },
      { forcedTool: "b" },
      denied("a"),
      denied("b"),
      { ...denied("a"), forcedTool: "b" },
    ];
    const all = { procedural: rowsOf("a", "b", "c") };
    const digests = [...turns, all].map(async (init) => {
      const outcome = await service.resolve(request(["a", "b", "c"], init), call());
      return outcome.kind === "ok" && Buffer.from(outcome.value.decision?.paletteDigest ?? []).toString("hex");
    });
    expect(new Set(await Promise.all(digests)).size).toBe(turns.length + 1);
  });

  it("is explained step by step", async () => {
    const service = paletteService({
      stages: [{ name: "other-role", protectsForced: true, when: { role: "x" }, deny: { names: ["a"] } }],
    });
    const sent = request(["a", "b", "c", "d"], {
      procedural: rowsOf("a", "b", "fax"),
      alwaysOffer: ["c", "a"],
      forcedTool: "d",
      stages: [toStage({ name: "cut", limit: 1 })],
      explain: true,
    });
    const outcome = await service.resolve(sent, call());
    const steps = outcome.kind === "ok" ? (outcome.value.explanation?.steps ?? []) : [];
    expect(
      steps.map(({ stage, removed, reinstated, remaining }) => [stage, removed?.names, reinstated?.names, remaining]),
    ).toEqual([
      ["registry", undefined, undefined, 4],
      ["routing", ["c"], ["d"], 3],
      ["always_offer", undefined, ["c"], 4],
      ["other-role", undefined, undefined, 4],
      ["cut", ["b", "c"], ["d"], 2],
      ["force", undefined, undefined, 2],
    ]);
    expect(steps.find(({ stage }) => stage === "other-role")?.note).not.toBe("");
  });
});

describe("every request", () => {
  const requests = fc
    .record({
      tools: fc.uniqueArray(names, { maxLength: 8 }),
      rows: fc.option(rows),
      inits: stageInits(fc.boolean()),
      alwaysOffer: fc.array(names, { maxLength: 3 }),
      forcedTool: fc.option(names, { nil: undefined }),
      callsMade: fc.array(names, { maxLength: 2 }),
      explain: fc.boolean(),
    })
    .map(({ tools, rows: found, inits, forcedTool, ...rest }) =>
      request(tools, {
        ...rest,
        stages: inits.map(toStage),
        ...(found === null ? {} : { procedural: { case: "skills", value: create(SkillRowsSchema, { rows: found }) } }),
        ...(forcedTool === undefined ? {} : { forcedTool }),
      }),
    );

  it("gets the same bytes again, inline and by digest", async () => {
    const service = paletteService();
    await fc.assert(
      fc.asyncProperty(requests, async (sent) => {
        const registry = sent.registered.case === "registry" ? sent.registered.value : undefined;
        const kept = await service.registerTools(create(RegisterToolsRequestSchema, registry && { registry }), call());
        const digest = kept.kind === "ok" ? kept.value.registryDigest : new Uint8Array();
        const byDigest = { ...sent, registered: { case: "registryDigest", value: digest } } as const;
        const first = bytesOf(await service.resolve(arrived(sent), call()));
        expect(bytesOf(await service.resolve(arrived(sent), call()))).toBe(first);
        expect(bytesOf(await service.resolve(arrived(byDigest), call()))).toBe(first);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is answered with a subsequence of its registry, and without stages never narrowed by a decline", async () => {
    const service = paletteService();
    await fc.assert(
      fc.asyncProperty(requests, async (sent) => {
        const tools = sent.registered.case === "registry" ? sent.registered.value.tools.map(({ name }) => name) : [];
        const outcome = await service.resolve(sent, call());
        if (outcome.kind === "refusal") return;
        const { palette, routing } = outcome.value;
        const offered = palette?.offer.case === "explicit" ? palette.offer.value.names : tools;
        expect(offered).toEqual(tools.filter((name) => offered.includes(name)));
        if (sent.stages.length === 0 && routing.case !== "routed") expect(palette?.offer.case).toBe("full");
        if (palette?.forcedTool !== undefined) expect(offered).toContain(palette.forcedTool);
        if (palette?.offer.case === "explicit") {
          expect(palette.offer.value.emptiedBy === "").toBe(offered.length > 0);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
