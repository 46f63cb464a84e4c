import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge, type Verdict } from "./verdict.ts";

const ADAPTERS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini-contents", "pydantic-ai"];

describe.each(ADAPTERS)("the boundary cases of %s", (adapter) => {
  it.each(casesOf(adapter))("$name", ({ state, expect: expected, why }) => {
    expect(judge(adapter, state), why).toEqual(expected);
  });
});

interface BoundaryCase {
  readonly name: string;
  readonly state: unknown;
  readonly expect: Verdict;
  readonly why: string;
}

function casesOf(adapter: string): readonly BoundaryCase[] {
  return JSON.parse(readFileSync(`test/cases/boundaries/${adapter}.json`, "utf8")).cases;
}
