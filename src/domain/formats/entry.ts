import type { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { UnsafeBoundary_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";

/** One message, item or content of a document in the form that the scanner knows. All formats are judged in this form only. */
export interface Entry {
  /** Counted from 0, in the document's own order. */
  readonly position: number;
  readonly kind: EntryKind;
  readonly author: Author;
  /** Calls of the host's tools and requests for an approval, in the order of the entry; what the provider runs itself is not among them. */
  readonly calls: readonly Call[];
  readonly results: readonly Result[];
  /** Entries with the same number are one block; a call and its result pair only inside one. Numbers never go down. */
  readonly block: number;
  /** Whether it is a finished answer of the model. The scanner asks besides whether the model itself goes on. */
  readonly endsTurn: boolean;
  /** What is wrong inside this entry; pairing is the scanner's business. */
  readonly problem: UnsafeBoundary_Cause | undefined;
  /** Thinking beside calls can't be sent back as it came. A problem only while the turn has no finished answer. */
  readonly thinkingLost: boolean;
  /** The entry as the document holds it. */
  readonly value: unknown;
}

/** Whose entry it is. `neither`: compacted history, a reference; it ends a block and opens no turn. */
export type Author = "model" | "host" | "system" | "neither";

/** A call that the host has to answer. */
export interface Call {
  /** What names it in `openCalls` and `completedCalls`: an opaque string. */
  readonly id: string;
  /** The kind of results that can answer it; equal ids of different kinds never meet. */
  readonly pairs: string;
  /** A person has to answer it, not a tool: a pause, never a completed call. */
  readonly approval: boolean;
  /** Its arguments or its own status say that it was cut while it streamed. */
  readonly cut: boolean;
}

/** What answers a call of the same block with the same `id` and `pairs`. */
export interface Result {
  readonly id: string;
  readonly pairs: string;
}

/** A format: a name and a version. What a document declares and what an adapter reads. */
export interface Format {
  readonly name: string;
  readonly version: number;
}

/** A document of a format with an adapter. */
export interface EntriesReading {
  readonly kind: "entries";
  readonly format: Format;
  readonly entries: readonly Entry[];
}

/** A document of a format that the operator listed and no adapter reads. */
export interface OpaqueReading {
  readonly kind: "opaque";
  readonly format: Format;
}
