import { EntryKind, type ReplayZone } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { Entry } from "../formats/entry.ts";
import { entrySpans } from "../formats/entry-spans.ts";

/**
 * Where the entries of a document stand in its bytes, with what is shown of each beside its content. Plain and flat:
 * it crosses threads, and stays while a reader is slow, when the bytes themselves have been let go.
 */
export interface Layout {
  readonly entries: number;
  /** First byte and the byte after, two numbers an entry. */
  readonly spans: Uint32Array<ArrayBuffer>;
  /** `EntryKind`, one byte an entry. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** The calls that an entry makes and answers; most have none and are not in here. */
  readonly callIds: ReadonlyMap<number, readonly string[]>;
}

/** The layout of a replay: what to do with each entry, and the digest over the contents of all of them. */
export interface ReplayLayout extends Layout {
  /** `ReplayZone`, one byte an entry. */
  readonly zones: Uint8Array<ArrayBuffer>;
  readonly inDoubt: ReadonlyMap<number, readonly string[]>;
  readonly digest: Uint8Array;
}

/** The layout of a transcript: the keys by which the store knows when each entry was first held. */
export interface TranscriptLayout extends Layout {
  /** 32 bytes an entry. */
  readonly keys: Uint8Array<ArrayBuffer>;
}

/** Lays entries out that were read from these bytes. */
export function layOut(entries: readonly Entry[], bytes: Uint8Array): Layout {
  const spans = entrySpans(bytes);
  if (spans.length !== 2 * entries.length) throw new Error("an adapter counts other entries than its document holds");
  return {
    entries: entries.length,
    spans,
    kinds: Uint8Array.from(entries, ({ kind }) => kind),
    callIds: new Map(entries.flatMap((entry) => named(entry))),
  };
}

/** The bytes of one entry as a range of its document. */
export function spanOf({ spans }: Layout, position: number): readonly [from: number, to: number] {
  return [spans[2 * position] ?? 0, spans[2 * position + 1] ?? 0];
}

/** The kind of one entry. */
export function kindOf({ kinds }: Layout, position: number): EntryKind {
  return (kinds[position] ?? EntryKind.UNSPECIFIED) as EntryKind; // Written from the enum.
}

/** The zone of one entry. */
export function zoneOf({ zones }: ReplayLayout, position: number): ReplayZone {
  return (zones[position] ?? 0) as ReplayZone; // Written from the enum.
}

function named({ position, calls, results }: Entry): readonly (readonly [number, readonly string[]])[] {
  if (calls.length === 0 && results.length === 0) return [];
  return [[position, [...calls, ...results].map(({ id }) => id)]];
}
