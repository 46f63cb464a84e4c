import type { Draft } from "./draft.ts";
import type { Entry } from "./entry.ts";
import { isObject, type Json } from "./json.ts";

/** How a format whose document is an array of messages reads one of them. */
export interface MessageShape {
  /** Whether the message is of the format's kind and bears no other format's marks. */
  readonly fits: (message: Json) => boolean;
  /** `undefined`: a field that pairing needs is missing. Asked only if every message of the list fits. */
  readonly read: (message: Json, around: Around) => Draft | undefined;
}

/** The entries beside a message. A reader looks no further. */
export interface Around {
  readonly previous: Draft | undefined;
  readonly next: Json | undefined;
}

/** Why a value is not of a format: it has another shape, or it has the shape and a part that pairing needs is missing. */
export type Unreadable = "unrecognised" | "corrupt";

/** Reads an array of messages. That one is not of the format's kind outweighs that another is damaged. */
export function readList(value: unknown, shape: MessageShape): readonly Entry[] | Unreadable {
  if (!Array.isArray(value)) return "unrecognised";
  const messages: readonly Json[] = value.every(isObject) ? value : value.filter(isObject);
  if (!messages.every(shape.fits)) return "unrecognised";
  if (messages.length < value.length) return "corrupt";
  return readMessages(messages, shape) ?? "corrupt";
}

function readMessages(messages: readonly Json[], shape: MessageShape): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  let previous: Draft | undefined;
  let block = 0;
  for (const value of messages) {
    const position = entries.length;
    const draft = shape.read(value, { previous, next: messages[position + 1] });
    if (draft === undefined) return undefined;
    if (!draft.joins && position > 0) block += 1;
    entries.push(place(draft, { position, block, value }));
    previous = draft;
  }
  return entries;
}

function place(draft: Draft, { position, block, value }: Pick<Entry, "position" | "block" | "value">): Entry {
  return {
    position,
    kind: draft.kind,
    author: draft.author,
    calls: draft.calls,
    results: draft.results,
    block,
    endsTurn: draft.endsTurn,
    problem: draft.problem,
    thinkingLost: draft.thinkingLost,
    value,
  };
}
