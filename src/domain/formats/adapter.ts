import type { Entry, Format } from "./entry.ts";
import type { Unreadable } from "./list.ts";

/** What reads one format. Its entries are all that the judgement knows of a document. */
export interface Adapter extends Format {
  /** Recognises and reads the parsed JSON text of a document. Never throws, whatever the value is. */
  readonly read: (value: unknown) => readonly Entry[] | Unreadable;
}
