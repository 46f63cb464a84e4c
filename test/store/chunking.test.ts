import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkSizes, cutsOf } from "../../src/store/chunking.ts";

/** Bytes that everybody can make again: a chain of SHA-256. */
function chained(length: number): Buffer {
  const parts: Buffer[] = [];
  let block = createHash("sha256").update("fermata").digest();
  for (let made = 0; made < length; made += block.length) {
    parts.push(block);
    block = createHash("sha256").update(block).digest();
  }
  return Buffer.concat(parts).subarray(0, length);
}

const chunksOf = (bytes: Uint8Array): readonly string[] =>
  cutsOf(bytes).map((end, at, ends) =>
    createHash("sha256")
      .update(bytes.subarray(ends[at - 1] ?? 0, end))
      .digest("hex"),
  );

describe("the cuts of a payload", () => {
  it("never move: stored chunks must be met again by every later version", () => {
    expect(cutsOf(chained(300_000))).toEqual([
      7205, 32521, 41463, 56375, 80107, 99125, 117028, 138756, 164454, 183482, 196133, 210339, 229031, 248783, 265639,
      272877, 283612, 300000,
    ]);
  });

  it("cover every byte once, within the sizes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400_000 }), fc.nat({ max: 255 }), (length, seed) => {
        const bytes = chained(length).map((byte) => byte ^ seed);
        const ends = cutsOf(bytes);
        expect(ends.at(-1) ?? 0).toBe(length);
        const sizes = ends.map((end, at) => end - (ends[at - 1] ?? 0));
        expect(sizes.every((size) => size > 0 && size <= chunkSizes.longest)).toBe(true);
        expect(sizes.slice(0, -1).every((size) => size >= chunkSizes.shortest)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each([0, 1, 4096, 4097])("of %i bytes are at most one short chunk", (length) => {
    expect(cutsOf(chained(length))).toHaveLength(Math.min(length, 1));
  });

  it("cut what never varies at the longest size", () => {
    expect(cutsOf(new Uint8Array(200_000)).slice(0, 3)).toEqual([65_536, 131_072, 196_608]);
  });

  it("keep what they had when a history grows at its end, and find it again after a change at its beginning", () => {
    const history = chained(1_000_000);
    const grown = Buffer.concat([history, chained(2000)]);
    const kept = new Set(chunksOf(history));
    expect(chunksOf(grown).filter((chunk) => !kept.has(chunk)).length).toBeLessThanOrEqual(2);
    const moved = Buffer.concat([Buffer.from("new beginning"), history]);
    expect(chunksOf(moved).filter((chunk) => !kept.has(chunk)).length).toBeLessThanOrEqual(3);
  });
});
