import { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { Entry } from "./entry.ts";

/** What an adapter makes of one entry, before the list gives it its place. */
export interface Draft extends Omit<Entry, "position" | "block" | "value"> {
  /** Whether it belongs to the block of the entry before it. */
  readonly joins: boolean;
}

/** An entry with these facts; what is left out is not there. */
export function draft(facts: Partial<Draft>): Draft {
  return { ...PLAIN, ...facts };
}

const PLAIN: Draft = {
  kind: EntryKind.USER,
  author: "host",
  calls: [],
  results: [],
  endsTurn: false,
  problem: undefined,
  thinkingLost: false,
  joins: false,
};
