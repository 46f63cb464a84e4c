import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entrySpans } from "../../../src/domain/formats/entry-spans.ts";

const slices = (text: string): readonly string[] => {
  const bytes = new TextEncoder().encode(text);
  const spans = [...entrySpans(bytes)];
  return Array.from({ length: spans.length / 2 }, (_unused, at) =>
    Buffer.from(bytes.subarray(spans[2 * at], spans[2 * at + 1])).toString(),
  );
};

const blanks = () => fc.string({ unit: fc.constantFrom(" ", "\n", "\r", "\t"), maxLength: 3 });

describe("where the entries of a document stand", () => {
  it.each([
    { text: "[]", found: [] },
    { text: " [ \n ] ", found: [] },
    { text: '[{"a":1}]', found: ['{"a":1}'] },
    { text: '[ {"a":[1,{"b":2}]} , {"c":"],[" } ]', found: ['{"a":[1,{"b":2}]}', '{"c":"],[" }'] },
    { text: '[{"a":"\\"},{"},{}]', found: ['{"a":"\\"},{"}', "{}"] },
    { text: '[{"a":"\\\\"},{"b":"\\\\\\""}]', found: ['{"a":"\\\\"}', '{"b":"\\\\\\""}'] },
    { text: '[{"é":"😀, ]"},{ "z" : null }]', found: ['{"é":"😀, ]"}', '{ "z" : null }'] },
  ])("finds $found.length in $text, as they were written", ({ text, found }) => {
    expect(slices(text)).toEqual(found);
  });

  it("gives back each value as it was spelled, whatever blanks stand around it", () => {
    const written = fc
      .tuple(fc.json(), fc.integer({ min: 0, max: 2 }))
      .map(([json, indent]) => JSON.stringify(JSON.parse(json), undefined, indent));
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), blanks(), blanks(), (entries, before, after) => {
        const text = `${before}[${entries.map((entry) => `${before}${entry}${after}`).join(",")}${after}]${after}`;
        expect(slices(text)).toEqual(entries);
      }),
      { numRuns: 2_000 },
    );
  });
});
