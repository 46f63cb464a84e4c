import { createHash } from "node:crypto";
import type { Entry } from "../formats/entry.ts";
import { canonicalJson } from "./canonical-json.ts";

/** How many bytes one key has. */
export const entryKeyBytes = 32;

/**
 * One key for each entry, one after the other: a digest over the entry and the one before it, as their hosts wrote
 * them. Not over our reading of them, or an upgrade would make all entries new; and no chain, so that after a
 * compaction only the first kept entry is new.
 */
export function entryKeys(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const keys = new Uint8Array(entries.length * entryKeyBytes);
  let before = "";
  for (const [position, { value }] of entries.entries()) {
    const text = spelled(value);
    const digest = createHash("sha256").update(`fermata/entry/1\n${before.length}:${before}${text}`).digest();
    keys.set(digest, position * entryKeyBytes);
    before = text;
  }
  return keys;
}

/** What nests deeper than the engine can walk is known by its shortest truth: that it does. */
function spelled(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (thrown) {
    if (thrown instanceof RangeError) return "too deep";
    throw thrown;
  }
}
