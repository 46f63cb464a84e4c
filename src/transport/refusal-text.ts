import { reflect } from "@bufbuild/protobuf/reflect";
import type { Leaf } from "../domain/outcome.ts";
import { describeLeaf, type LeafRule } from "../domain/refusal-rule.ts";
import { cutText, utf8Length } from "../domain/short-text.ts";
import { factText } from "./error-metadata.ts";

/** Limits of grpc-message, as text and percent-encoded (refusals.md, Size). */
const maxBytes = 256;
const maxEncoded = 512;

/** How many bytes of one fact a text shows: the largest of these with which the whole text fits, so that the way out is never cut off. */
const factRooms = [128, 96, 64, 48, 32, 16, 8, 0];

/** The refusal's text: its rule's template with the facts in the holes. One line, at most 256 bytes and 512 when percent-encoded. */
export function refusalText(leaf: Leaf, rule: LeafRule): string {
  for (const room of factRooms) {
    const text = fill(leaf, rule.text, room);
    if (utf8Length(text) <= maxBytes && encodeURIComponent(text).length <= maxEncoded) return text;
  }
  throw new Error(`the text of ${rule.reason} is too long by itself`);
}

function fill(leaf: Leaf, template: string, room: number): string {
  const { message } = describeLeaf(leaf);
  const facts = reflect(message, leaf.value);
  return template.replace(/\{(\w+)\}/g, (_hole, name: string) => {
    const field = message.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`the text of ${message.name} has a hole {${name}} that is no fact`);
    const text = factText(field, facts);
    return name === "support_route" ? text.toWellFormed() : cutText(text, room);
  });
}
