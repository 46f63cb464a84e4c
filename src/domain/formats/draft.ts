import { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { Entry } from "./entry.ts";

/** What an adapter makes of one entry, before the list gives it its place. */
export interface Draft extends Omit<Entry, "position" | "block" | "value"> {
  /** Whether it belongs to the block of the entry before it. */
  readonly joins: boolean;
}

/** An entry with these facts; what is left out is not there. Field by field: a spread costs as much as parsing a short entry. */
export function draft(facts: Partial<Draft>): Draft {
  return {
    kind: facts.kind ?? EntryKind.USER,
    author: facts.author ?? "host",
    calls: facts.calls ?? NONE,
    results: facts.results ?? NONE,
    endsTurn: facts.endsTurn ?? false,
    problem: facts.problem,
    thinkingLost: facts.thinkingLost ?? false,
    joins: facts.joins ?? false,
  };
}

const NONE: readonly never[] = [];
