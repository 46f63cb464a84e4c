import { createHash } from "node:crypto";
import type { Entry } from "../formats/entry.ts";
import { type Layout, layOut, type ReplayLayout, spanOf } from "./layout.ts";
import { zonesOf } from "./replay-zones.ts";

/** Lays a replay out whose first `prefix` entries end at the boundary. */
export function layOutReplay(entries: readonly Entry[], bytes: Uint8Array, prefix: number): ReplayLayout {
  const layout = layOut(entries, bytes);
  const zoned = zonesOf(entries, prefix);
  return {
    ...layout,
    zones: Uint8Array.from(zoned, ({ zone }) => zone),
    inDoubt: new Map([...zoned.entries()].flatMap(([at, { inDoubt }]) => (inDoubt.length > 0 ? [[at, inDoubt]] : []))),
    digest: contentsDigest(layout, bytes),
  };
}

/** SHA-256 over each content with the length of its bytes in front, in decimal and a colon: what a reader can compute over what it got. */
function contentsDigest(layout: Layout, bytes: Uint8Array): Uint8Array {
  const hash = createHash("sha256");
  for (let position = 0; position < layout.entries; position += 1) {
    const [from, to] = spanOf(layout, position);
    hash.update(`${to - from}:`).update(bytes.subarray(from, to));
  }
  return new Uint8Array(hash.digest());
}
