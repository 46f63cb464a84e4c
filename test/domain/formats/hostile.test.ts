import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KNOWN } from "../../../src/domain/formats/known.ts";
import { judgeText, type Verdict } from "./verdict.ts";

const ALL = ["turn-complete", "calls-answered", "awaiting-input"];

describe.each(KNOWN.map(({ name }) => name))("any text declared as %s", (adapter) => {
  it("gets a verdict that makes sense, if it is a case with a field damaged", () => {
    fc.assert(
      fc.property(damaged(adapter), (state) => makesSense(judgeText(adapter, JSON.stringify(state)), state)),
      { numRuns: 1500 },
    );
  });

  it("gets a verdict that makes sense, if it is a case with its text cut or a character lost", () => {
    const texts = fc.constantFrom(...statesOf(adapter)).map((state) => JSON.stringify(state));
    fc.assert(
      fc.property(texts, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (text, share, cut) => {
        const at = Math.floor(share * text.length);
        const hurt = text.slice(0, at) + (cut ? "" : text.slice(at + 1));
        const verdict = judgeText(adapter, hurt, ALL);
        if (!parses(hurt)) expect(verdict).toEqual({ verdict: "FORMAT", cause: "CORRUPT" });
      }),
      { numRuns: 600 },
    );
  });

  it("gets a verdict, if it is any JSON or no JSON at all", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string({ unit: "binary" }),
          fc.array(fc.object()).map((list) => JSON.stringify(list)),
        ),
        (text) => {
          expect(judgeText(adapter, text, ALL).verdict).toMatch(/^(SAFE|UNSAFE|FORMAT)$/);
        },
      ),
      { numRuns: 600 },
    );
  });
});

function makesSense(verdict: Verdict, state: unknown): boolean {
  if (verdict.verdict !== "UNSAFE") return true;
  const length = Array.isArray(state) ? state.length : 0;
  const { position = 0, lastSafePosition = 0, otherCauses = 0 } = verdict;
  return position < length && lastSafePosition < length && lastSafePosition <= position && otherCauses < length;
}

/** A case in which one field, at any depth, was replaced, taken away or doubled. */
function damaged(adapter: string): fc.Arbitrary<unknown> {
  const values = fc.oneof(
    fc.constantFrom<unknown>(null, "", "a", "tool", "assistant", "__proto__", 7, true, [], {}, [[]], "{"),
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc
    .tuple(fc.constantFrom(...statesOf(adapter)), fc.nat(), fc.constantFrom("replace", "remove", "double"), values)
    .map(([state, place, how, value]) => damage(state, { place, how, value }));
}

interface Damage {
  readonly place: number;
  readonly how: string;
  readonly value: unknown;
}

function damage(state: unknown, { place, how, value }: Damage): unknown {
  const copy = JSON.parse(JSON.stringify(state));
  const spots = spotsOf(copy);
  const spot = spots[place % Math.max(1, spots.length)];
  if (spot === undefined) return value;
  const { holder, key } = spot;
  if (how === "replace") holder[key] = value;
  else if (!Array.isArray(holder)) delete holder[key];
  else if (how === "double") holder.splice(Number(key), 0, holder[Number(key)]);
  else holder.splice(Number(key), 1);
  return copy;
}

type Holder = Record<string, unknown> | unknown[];

function spotsOf(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>; // a list's places are its keys
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...spotsOf(holder[key])]);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function statesOf(adapter: string): readonly Holder[] {
  const { cases } = JSON.parse(readFileSync(`test/cases/boundaries/${adapter}.json`, "utf8"));
  return cases.map((one: { state: Holder }) => one.state);
}
