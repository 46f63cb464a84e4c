import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../../../src/domain/palette/glob.ts";

describe("a glob", () => {
  it.each([
    { glob: "search", fits: ["search"], not: ["searches", "Search", "searc", ""] },
    { glob: "*", fits: ["a", "", "anything at all"], not: [] },
    { glob: "write_*", fits: ["write_", "write_file"], not: ["rewrite_file", "write"] },
    { glob: "*_file", fits: ["_file", "read_file"], not: ["read_file2"] },
    { glob: "a*b*c", fits: ["abc", "aXbYc", "abbcc"], not: ["ab", "acb", "abcd"] },
    { glob: "?", fits: ["a", "é", "𝒶", "*"], not: ["", "ab", "e\u0301"] },
    { glob: "??", fits: ["ab", "𝒶𝒷"], not: ["𝒶", "abc"] },
    { glob: "*?", fits: ["a", "𝒶", "ab𝒶"], not: [""] },
    { glob: "*??", fits: ["a𝒶", "𝒶𝒷"], not: ["𝒶"] },
    { glob: "a**b", fits: ["ab", "axb"], not: ["a"] },
    { glob: "[ab]\\*", fits: ["[ab]\\", "[ab]\\x"], not: ["a*", "a"] },
    { glob: "a.c", fits: ["a.c"], not: ["abc"] },
    { glob: "***", fits: ["", "x"], not: [] },
  ])("$glob fits whole names only, without escape", ({ glob, fits, not }) => {
    expect(fits.filter(compileGlob(glob))).toEqual(fits);
    expect(not.filter(compileGlob(glob))).toEqual([]);
  });

  it("agrees with a table over all prefixes, code point by code point", () => {
    const text = fc.array(fc.constantFrom("a", "b", "𝒶", "é"), { maxLength: 12 }).map((points) => points.join(""));
    const glob = fc
      .array(fc.constantFrom("a", "b", "𝒶", "*", "?", "**"), { maxLength: 8 })
      .map((points) => points.join(""));
    fc.assert(
      fc.property(glob, text, (pattern, name) => compileGlob(pattern)(name) === fitsByTable(pattern, name)),
      { numRuns: 20_000 },
    );
  });
});

function fitsByTable(glob: string, name: string): boolean {
  const points = [...name];
  let fits = points.reduce<boolean[]>((row) => [...row, false], [true]);
  for (const wanted of glob) {
    const next: boolean[] = [wanted === "*" && fits[0] === true];
    for (const [index, point] of points.entries()) {
      const here =
        wanted === "*" ? next[index] || fits[index + 1] : fits[index] && (wanted === "?" || wanted === point);
      next.push(here === true);
    }
    fits = next;
  }
  return fits.at(-1) === true;
}
