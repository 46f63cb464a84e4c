import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/domain/conversation/canonical-json.ts";
import { entryKeyBytes, entryKeys } from "../../../src/domain/conversation/entry-key.ts";
import { readDocument } from "../../../src/domain/formats/read.ts";

describe("the canonical text of a JSON value", () => {
  it.each([
    // The examples of RFC 8785, section 3.2.2 to 3.2.4.
    {
      value: {
        numbers: [JSON.parse("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        literals: [null, true, false],
      },
      text: '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    },
    { value: { b: 1, a: { d: 2, c: 3 } }, text: '{"a":{"c":3,"d":2},"b":1}' },
    {
      value: { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 },
      text: '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    },
    { value: '\u20ac$\u000f\nA\'B"\\"/', text: '"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/"' },
    { value: -0, text: "0" },
    { value: [], text: "[]" },
  ])("$text", ({ value, text }) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("says the same value, whatever the order of its members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

const keysOf = (history: readonly unknown[]): readonly string[] => {
  const content = { case: "text", value: JSON.stringify(history) } as const;
  const reading = readDocument("openai-chat/1", content, []);
  if (reading.kind !== "entries") throw new Error("the history of this test is wrong");
  const keys = entryKeys(reading.entries);
  return Array.from({ length: keys.length / entryKeyBytes }, (_, at) =>
    Buffer.from(keys.subarray(at * entryKeyBytes, (at + 1) * entryKeyBytes)).toString("hex"),
  );
};
const user = (content: string) => ({ role: "user", content });
const model = (content: string) => ({ role: "assistant", content });

describe("the keys of a document's entries", () => {
  it("stay when a history grows, and when its members are written in another order", () => {
    const history = [user("a"), model("b"), user("c")];
    const grown = [...history.map(({ role, content }) => ({ content, role })), model("d")];
    expect(keysOf(grown).slice(0, 3)).toEqual(keysOf(history));
  });

  it("are no chain: after a change only the entry itself and the one behind it are new", () => {
    const before = keysOf([user("a"), model("b"), user("c"), model("d"), user("e")]);
    const after = keysOf([user("a"), model("B"), user("c"), model("d"), user("e")]);
    expect(after.map((key, at) => key === before[at])).toEqual([true, false, false, true, true]);
    const compacted = keysOf([user("c"), model("d"), user("e")]);
    expect(compacted.map((key, at) => key === before[at + 2])).toEqual([false, true, true]);
  });

  it("tell where one entry ends and the next begins", () => {
    expect(new Set([...keysOf([user("a"), user("a")]), ...keysOf([user("aa")])]).size).toBe(3);
  });

  it("are for ever: a stored key is met again by every later version", () => {
    const digest = (text: string) => createHash("sha256").update(text).digest("hex");
    const [a, b] = ['{"content":"a","role":"user"}', '{"content":"b","role":"assistant"}'];
    expect(keysOf([user("a"), model("b")])).toEqual([
      digest(`fermata/entry/1\n0:${a}`),
      digest(`fermata/entry/1\n${a.length}:${a}${b}`),
    ]);
  });
});
