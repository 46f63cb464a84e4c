import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listedNames, sortedNameSample } from "../../src/domain/name-sample.ts";

describe("a sorted sample", () => {
  it.each([
    { about: "nothing", names: [], sample: [] },
    {
      about: "UTF-8 bytes, not UTF-16",
      names: ["\u{10000}", "\uffee", "b", "B", "é", ""],
      sample: ["", "B", "b", "é", "\uffee", "\u{10000}"],
    },
    { about: "a prefix before what it begins", names: ["ab", "a", "abc"], sample: ["a", "ab", "abc"] },
  ])("has the order of $about", ({ names, sample }) => {
    expect(sortedNameSample(names)).toMatchObject({ names: sample, total: names.length });
  });

  it("has at most 16 names and counts the others", () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${String(99 - index)}`);
    expect(sortedNameSample(names)).toMatchObject({ names: names.toSorted().slice(0, 16), total: 40 });
  });

  it("leaves out a name that does not fit and goes on with shorter ones", () => {
    const long = Array.from({ length: 9 }, (_, index) => `a${index}${"x".repeat(118)}`);
    const sample = sortedNameSample(["z", ...long, "y".repeat(65), "w"]);
    expect(sample.names).toEqual([...long.slice(0, 8), "w", "z"]);
    expect(sample.total).toBe(12);
  });

  it("is what sorting everything and taking what fits would give", () => {
    const name = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom("a", "b", "\u{1f600}", "\ufffd").map((point) => point.repeat(60)),
      fc.string({ minLength: 100, maxLength: 200 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 60 }), (names) => {
        expect(sortedNameSample(names).names).toEqual(takenFromAll(names));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a list of names in an answer", () => {
  it("is left out when there are none", () => {
    expect(listedNames([])).toBeUndefined();
  });

  it("keeps order, cuts at 128 bytes on a code point and is well-formed", () => {
    const cut = listedNames(["b", "a", `${"x".repeat(127)}é`, "\ud800", "y".repeat(128)]);
    expect(cut).toMatchObject({ names: ["b", "a", "x".repeat(127), "\ufffd", "y".repeat(128)], total: 5 });
  });
});

function takenFromAll(names: readonly string[]): readonly string[] {
  let room = 1024;
  const taken: string[] = [];
  for (const name of names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))) {
    if (taken.length === 16 || Buffer.byteLength(name) > room) continue;
    room -= Buffer.byteLength(name);
    taken.push(name);
  }
  return taken;
}
