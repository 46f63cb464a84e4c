import { isText } from "./json.ts";
import { ANSWER, NOTHING, type Piece } from "./pieces.ts";

/** What the model says in a message of OpenAI's: content is a text or a list of parts, and `isSaid` tells the parts that say something. */
export function contentPieces(content: unknown, isSaid: (part: unknown) => boolean): readonly Piece[] {
  if (Array.isArray(content)) return content.map((part) => (isSaid(part) ? ANSWER : NOTHING));
  return isText(content) ? [ANSWER] : [];
}
