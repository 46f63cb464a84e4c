import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hex, sha256 } from "../../src/domain/digest.ts";

describe("a digest", () => {
  it("is SHA-256 over the tag and the parts, each with its length in bytes in front", () => {
    const bytes = Buffer.concat([Buffer.from("1:t0:4:\u{1f600}2:"), Buffer.from([0, 255])]);
    const expected = createHash("sha256").update(bytes).digest("hex");
    expect(hex(sha256("t", ["", "\u{1f600}", Uint8Array.of(0, 255)]))).toBe(expected);
  });

  it("is another one for another list of parts", () => {
    const parts = fc.array(fc.constantFrom("", "a", "aa", "1:", "1:a", ":", "0:"), { maxLength: 5 });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const equal = JSON.stringify(one) === JSON.stringify(other);
        expect(hex(sha256("t", one)) === hex(sha256("t", other))).toBe(equal);
      }),
      { numRuns: 2_000 },
    );
  });

  it("does not depend on how much is hashed at once, nor on whether a part is text or bytes", () => {
    const parts = Array.from({ length: 5_000 }, (_, index) => `part ${index}`);
    const asBytes = parts.map((part) => Buffer.from(part));
    const plain = ["t", ...parts].map((part) => `${Buffer.byteLength(part)}:${part}`).join("");
    const expected = createHash("sha256").update(plain).digest("hex");
    expect([hex(sha256("t", parts)), hex(sha256("t", asBytes))]).toEqual([expected, expected]);
  });
});
