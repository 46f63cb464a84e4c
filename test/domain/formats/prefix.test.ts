import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const PROOFS = [
  ["turn-complete"],
  ["turn-complete", "calls-answered"],
  ["turn-complete", "calls-answered", "awaiting-input"],
  ["calls-answered"],
  [],
];

/** Whether the model itself says or does this entry, told by the format's own words. */
const MODELS: Readonly<Record<string, (entry: Record<string, unknown>) => boolean>> = {
  "openai-chat": ({ role }) => role === "assistant",
  "openai-responses": ({ type, role }) => role === "assistant" || (type !== undefined && !HOSTS.test(String(type))),
  "anthropic-messages": ({ role }) => role === "assistant",
  "gemini-contents": ({ role }) => role === "model",
  "pydantic-ai": ({ kind }) => kind === "response",
};

const HOSTS = /^message$|_output$|^mcp_approval_response$|^item_reference$|^compaction$/;

describe.each(Object.keys(MODELS))("the last safe position of %s", (adapter) => {
  const states = statesOf(adapter);

  it("is that of the longest prefix that is safe on its own and does not end inside what the model says in one go", () => {
    for (const state of states) {
      for (const proofs of PROOFS) expect(lastSafe(adapter, state, proofs)).toBe(longestSafe(adapter, state, proofs));
    }
  });

  it("is so for entries of all cases in any order", () => {
    const histories = fc
      .array(fc.constantFrom(...states).chain(pieceOf), { maxLength: 5 })
      .map((pieces) => pieces.flat());
    fc.assert(
      fc.property(histories, fc.constantFrom(...PROOFS), (state, proofs) => {
        expect(lastSafe(adapter, state, proofs)).toBe(longestSafe(adapter, state, proofs));
      }),
      { numRuns: 400 },
    );
  });
});

type State = readonly Record<string, unknown>[];

function lastSafe(adapter: string, state: State, proofs: readonly string[]): number | undefined {
  const verdict = judge(adapter, state, proofs);
  if (verdict.verdict === "SAFE") return state.length;
  return verdict.verdict === "UNSAFE" ? verdict.lastSafePosition : undefined;
}

function longestSafe(adapter: string, state: State, proofs: readonly string[]): number | undefined {
  for (let length = state.length; length >= 0; length -= 1) {
    const [last, next] = [state[length - 1], state[length]];
    const inOneGo = last !== undefined && next !== undefined && isModels(adapter, last) && isModels(adapter, next);
    if (!inOneGo && judge(adapter, state.slice(0, length), proofs).verdict === "SAFE") return length;
  }
  return undefined;
}

function isModels(adapter: string, entry: Record<string, unknown>): boolean {
  return MODELS[adapter]?.(entry) ?? false;
}

function pieceOf(state: State): fc.Arbitrary<State> {
  return fc
    .tuple(fc.nat(state.length), fc.nat(state.length))
    .map(([one, other]) => state.slice(Math.min(one, other), Math.max(one, other)));
}

// Documents that are not of their format have no prefixes to speak of.
function statesOf(adapter: string): readonly State[] {
  const { cases } = JSON.parse(readFileSync(`test/cases/boundaries/${adapter}.json`, "utf8"));
  return cases
    .filter((one: { expect: { verdict: string } }) => one.expect.verdict !== "FORMAT")
    .map((one: { state: State }) => one.state);
}
