import "../../src/cli/to-base64.ts";
import fc from "fast-check";
import { expect, it } from "vitest";

type Encode = (options?: { readonly alphabet?: string; readonly omitPadding?: boolean }) => string;

const encode = (bytes: Uint8Array, ...options: Parameters<Encode>): string =>
  (bytes as Uint8Array & { readonly toBase64: Encode }).toBase64(...options); // ES2026, which the types do not have yet

it.each([
  [[], {}, ""],
  [[0xff], {}, "/w=="],
  [[0xff], { omitPadding: true }, "/w"],
  [[0xfb, 0xff], { alphabet: "base64url" }, "-_8="],
  [[0xfb, 0xff], { alphabet: "base64url", omitPadding: true }, "-_8"],
  [[0xfb, 0xff, 0xbf], { alphabet: "base64url" }, "-_-_"],
])("writes %j with %j as %j", (bytes, options, text) => {
  expect(encode(Uint8Array.from(bytes), options)).toBe(text);
});

it("writes a part of a buffer, which reads back as the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(9), (bytes, from) => {
      const part = bytes.subarray(Math.min(from, bytes.length));
      expect(new Uint8Array(Buffer.from(encode(part), "base64"))).toEqual(new Uint8Array(part));
    }),
  );
});
