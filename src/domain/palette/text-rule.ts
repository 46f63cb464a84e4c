import { utf8Length } from "../short-text.ts";
import type { Violation } from "../violation.ts";

/**
 * What is wrong with a name that others will compare, hash and print: it has 1 to `maxBytes` bytes, is well-formed Unicode and holds no
 * control character (General_Category Cc). Undefined when nothing is.
 */
export function textFault(field: string, text: string, maxBytes: number): Violation | undefined {
  if (text.length <= maxBytes && printableAscii.test(text)) return undefined;
  if (text === "") return { field, rule: "REQUIRED", description: `is empty; 1 to ${maxBytes} bytes are allowed` };
  const bytes = utf8Length(text);
  if (bytes > maxBytes) {
    return { field, rule: "TOO_LONG", description: `has ${bytes} bytes; at most ${maxBytes} are allowed` };
  }
  if (!text.isWellFormed()) {
    return { field, rule: "NOT_WELL_FORMED", description: "holds a lone surrogate; well-formed Unicode is allowed" };
  }
  const control = controlCharacter.exec(text)?.[0];
  if (control === undefined) return undefined;
  return {
    field,
    rule: "FORBIDDEN_CHARACTER",
    description: `holds ${codePoint(control)}; no control character is allowed`,
  };
}

/** The faults of a list of such texts, each under the path of its member. */
export function textFaults(field: string, texts: readonly string[], maxBytes: number): readonly Violation[] {
  return texts.flatMap((text, index) => textFault(`${field}[${index}]`, text, maxBytes) ?? []);
}

const printableAscii = /^[ -~]+$/;

const controlCharacter = /\p{Cc}/u;

function codePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
