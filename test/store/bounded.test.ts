import { describe, expect, it } from "vitest";
import { bounded } from "../../src/store/bounded.ts";
import { openRegistries } from "../../src/store/registries.ts";
import { registry } from "../domain/palette/turns.ts";

describe("a bounded map", () => {
  it("forgets what was used longest ago", () => {
    const map = bounded<string>({ entries: 2, weight: 100, weigh: () => 1 });
    map.set("a", "A");
    map.set("b", "B");
    map.get("a");
    map.set("c", "C");
    expect(["a", "b", "c"].map((key) => map.get(key))).toEqual(["A", undefined, "C"]);
  });

  it("keeps no more than its weight, counts a replaced value once and keeps nothing that is too heavy", () => {
    const map = bounded<string>({ entries: 9, weight: 10, weigh: ({ length }) => length });
    map.set("a", "xxxx");
    map.set("a", "xxxxx");
    map.set("b", "xxxxx");
    expect([map.get("a"), map.get("b")]).toEqual(["xxxxx", "xxxxx"]);
    map.set("c", "x");
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, "xxxxx", "x"]);
    map.set("d", "x".repeat(11));
    expect([map.get("b"), map.get("c"), map.get("d")]).toEqual(["xxxxx", "x", undefined]);
  });
});

describe("the registries of hosts", () => {
  it("are 256, found by their digest alone", () => {
    const { find, keep } = openRegistries();
    const all = Array.from({ length: 257 }, (_, index) => registry(`tool_${index}`));
    for (const one of all) keep(one);
    const found = all.map(({ digest }) => find(digest));
    expect(found[0]).toBeUndefined();
    expect(found.slice(1)).toEqual(all.slice(1));
    expect([find(new Uint8Array()), find(new Uint8Array(31)), find(new Uint8Array(1_000_000))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("stay within the memory of a pod", () => {
    const { find, keep } = openRegistries();
    const names = Array.from({ length: 10_000 }, (_, index) => `${index}`.padStart(128, "x"));
    const all = Array.from({ length: 30 }, (_, index) => registry(`first_${index}`, ...names.slice(1)));
    for (const one of all) keep(one);
    const kept = all.filter(({ digest }) => find(digest) !== undefined).length;
    expect(kept).toBeGreaterThan(10);
    expect(kept).toBeLessThan(25);
  });
});
