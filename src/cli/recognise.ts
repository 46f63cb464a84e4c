import { candidates, readDocument } from "../domain/formats/read.ts";
import { scan } from "../domain/formats/scan.ts";
import type { Document } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";

/** What a document's shape says about its format. */
export type Recognised =
  | { readonly kind: "recognised"; readonly format: string; readonly alike: readonly string[] }
  | { readonly kind: "unclear"; readonly found: string };

/**
 * The format that a document has by its shape. Short chats have several at once: that is clear enough only where all of
 * them come to the same verdict, and then the first is taken and the others are named.
 */
export function recognise(content: Document["content"]): Recognised {
  const fitting = candidates(content);
  const [format, ...alike] = fitting;
  if (format === undefined) return { kind: "unclear", found: "no known format" };
  const verdicts = new Set(fitting.map((candidate) => verdictOf(candidate, content)));
  if (verdicts.size === 1) return { kind: "recognised", format, alike };
  return { kind: "unclear", found: `${fitting.join(", ")}, which judge it differently` };
}

/** What a person would call the same verdict: where it stands, and what is in the way. */
function verdictOf(format: string, content: Document["content"]): string {
  const reading = readDocument(format, content, []);
  if (reading.kind !== "entries") return reading.kind;
  const found = scan(reading, new Set([`${reading.format.name}/turn-complete/1`]));
  if (found.kind === "boundary") return `${found.boundary.kind} after ${found.boundary.entries}`;
  const { cause, position, lastSafePosition } = found.unsafe;
  return JSON.stringify([cause, position, lastSafePosition]);
}
