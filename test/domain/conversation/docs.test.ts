import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settings } from "../../../src/config/settings.ts";
import { RefusalSchema } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";

const page = readFileSync(new URL("../../../docs/conversation.md", import.meta.url), "utf8");
const fences = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "gm"))].map(([, text = ""]) => text);

describe("docs/conversation.md", () => {
  it("names only endings of the taxonomy", () => {
    const reasons = new Set(RefusalSchema.fields.map(({ name }) => name.toUpperCase()));
    const named = [...page.matchAll(/^\| ([A-Z]{2,}(?:_[A-Z]+)+)[ ,]/gm)].map(([, reason = ""]) => reason);
    const kinds = ["TURN_COMPLETE", "AWAITING_INPUT", "CALLS_ANSWERED"];
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter((reason) => !reasons.has(reason) && !kinds.includes(reason))).toEqual([]);
  });

  it("shows configs that are sound, and messages that are JSON", () => {
    expect(fences("yaml").length).toBeGreaterThanOrEqual(2);
    for (const text of fences("yaml")) expect(settings.safeParse(parse(text)).error).toBeUndefined();
    for (const text of fences("json")) expect(() => JSON.parse(text)).not.toThrow();
  });
});
