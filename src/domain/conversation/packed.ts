import { utf8Length } from "../short-text.ts";
import { type Layout, spanOf } from "./layout.ts";

/** The most that one message or page of entries holds, in bytes; a larger entry travels alone. */
const maxPacked = 1024 * 1024;

/** What an entry takes beside its content and its ids at most: tags, lengths, position, kind, zone and time. */
const overhead = 64;

/** How many bytes an entry takes in a message at most. `ids` are those that stand beside it. */
export function packedSize(layout: Layout, position: number, ids: readonly (readonly string[] | undefined)[]): number {
  const [from, to] = spanOf(layout, position);
  const named = ids.flatMap((some) => some ?? []).reduce((sum, id) => sum + utf8Length(id) + idOverhead, 0);
  return overhead + (to - from) + named;
}

/** So many of the next sizes fit into one message, and never less than one of them. */
export function fitting(sizes: Iterable<number>): number {
  let count = 0;
  let room = maxPacked - overhead;
  for (const size of sizes) {
    if (size > room && count > 0) return count;
    room -= size;
    count += 1;
  }
  return count;
}

const idOverhead = 6;
