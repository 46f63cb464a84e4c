import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRegistry } from "../../../src/domain/palette/registry.ts";
import { RegistrySchema } from "../../../src/gen/fermata/palette/v1/palette_pb.ts";
import { registry } from "./turns.ts";

const tag64 = "t".repeat(64);

describe("a registry", () => {
  it.each([
    { about: "128 bytes", tools: [{ name: "n".repeat(128) }] },
    { about: "128 bytes of four-byte code points", tools: [{ name: "𝒶".repeat(32) }] },
    { about: "white space and punctuation", tools: [{ name: " " }, { name: "a b/c.d:e" }, { name: "\u2028" }] },
    { about: "every member of an object", tools: [{ name: "__proto__" }, { name: "constructor" }] },
    { about: "16 tags of 64 bytes", tools: [{ name: "a", tags: Array.from({ length: 16 }, () => tag64) }] },
    { about: "no tool", tools: [] },
    { about: "10,000 tools", tools: Array.from({ length: 10_000 }, (_, index) => ({ name: `t${index}` })) },
  ])("may have $about", ({ tools }) => {
    const parsed = parseRegistry(create(RegistrySchema, { tools }));
    expect(parsed.kind === "ok" && parsed.value.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  });

  it.each([
    { tools: [{ name: "a" }, { name: "" }], field: "registry.tools[1].name", rule: "REQUIRED" },
    { tools: [{ name: "n".repeat(129) }], field: "registry.tools[0].name", rule: "TOO_LONG" },
    { tools: [{ name: "é".repeat(65) }], field: "registry.tools[0].name", rule: "TOO_LONG" },
    { tools: [{ name: "a\ud800" }], field: "registry.tools[0].name", rule: "NOT_WELL_FORMED" },
    { tools: [{ name: "a\u0000" }], field: "registry.tools[0].name", rule: "FORBIDDEN_CHARACTER" },
    { tools: [{ name: "a\nb" }], field: "registry.tools[0].name", rule: "FORBIDDEN_CHARACTER" },
    { tools: [{ name: "a\u007f" }], field: "registry.tools[0].name", rule: "FORBIDDEN_CHARACTER" },
    { tools: [{ name: "a\u009f" }], field: "registry.tools[0].name", rule: "FORBIDDEN_CHARACTER" },
    { tools: [{ name: "a" }, { name: "b" }, { name: "a" }], field: "registry.tools[2].name", rule: "DUPLICATE" },
    { tools: [{ name: "a", tags: ["x", ""] }], field: "registry.tools[0].tags[1]", rule: "REQUIRED" },
    { tools: [{ name: "a", tags: [`${tag64}t`] }], field: "registry.tools[0].tags[0]", rule: "TOO_LONG" },
    { tools: [{ name: "a", tags: ["\udc00"] }], field: "registry.tools[0].tags[0]", rule: "NOT_WELL_FORMED" },
    {
      tools: [{ name: "a", tags: Array.from({ length: 17 }, () => "t") }],
      field: "registry.tools[0].tags",
      rule: "TOO_MANY",
    },
    {
      tools: Array.from({ length: 10_001 }, (_, index) => ({ name: `t${index}` })),
      field: "registry.tools",
      rule: "TOO_MANY",
    },
  ])("is refused for $rule at $field", ({ tools, field, rule }) => {
    const parsed = parseRegistry(create(RegistrySchema, { tools }));
    expect(parsed).toMatchObject({ kind: "invalid", violations: [{ field, rule }] });
  });

  it("names the faults in order and stops once there are enough for a refusal", () => {
    const tools = Array.from({ length: 9_000 }, () => ({ name: "" }));
    const parsed = parseRegistry(create(RegistrySchema, { tools }));
    const fields = parsed.kind === "invalid" ? parsed.violations.map(({ field, rule }) => `${field} ${rule}`) : [];
    expect(fields[0]).toBe("registry.tools[0].name REQUIRED");
    expect(fields.length).toBeLessThanOrEqual(8);
  });

  it("says what was found and what is allowed, never content", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 129, maxLength: 2_000 }), (name) => {
        const parsed = parseRegistry(create(RegistrySchema, { tools: [{ name }] }));
        expect(parsed.kind === "invalid" && parsed.violations[0]?.description.length).toBeLessThan(80);
      }),
    );
  });

  it("has another digest for another order, other tags, or bytes at another boundary", () => {
    const different = [
      registry(),
      registry("a"),
      registry("a", "b"),
      registry("b", "a"),
      registry("ab"),
      registry("a#b"),
      registry("a#b,c"),
      registry("a", "0", "1", "b"),
      registry("a#bc"),
      registry("a#b", "c"),
      registry("a", "b#c"),
      registry("a", "1:b"),
      registry("a1:b"),
    ];
    expect(new Set(different.map(({ digest }) => Buffer.from(digest).toString("hex"))).size).toBe(different.length);
    expect(registry("a#b", "c").digest).toEqual(registry("a#b", "c").digest);
  });
});
