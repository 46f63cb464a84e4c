/** The one top-level key of a JSON document under which an envelope stands. */
export const RESERVED_KEY = "fermata";

/**
 * How often the reserved key stands at the top level of a JSON object, read from the raw text: JSON.parse keeps only
 * the last of two. Nothing for what is no object; a broken text is read as far as it goes, and fails elsewhere.
 */
export function countReservedKey(text: string): number {
  if (!mayHold(text)) return 0;
  let count = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && isKey(text, end) && nameAt(text, at, end) === RESERVED_KEY) count += 1;
      at = end - 1;
    }
  }
  return count;
}

/** Most documents are arrays, or never spell the key: then the text is not walked through. */
function mayHold(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  return text.includes(`"${RESERVED_KEY}"`) || escapedLetter.test(text);
}

/** A letter of the key as an escape: written so, it would be the same key. */
const escapedLetter = /\\u00(?:6[156d]|7[24])/i;

/** The position after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return text[at] === ":";
}

function nameAt(text: string, start: number, end: number): unknown {
  const raw = text.slice(start, end);
  if (raw.length > longestSpelling) return undefined;
  try {
    return JSON.parse(raw);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** Each letter as an escape of six characters, and the quotes. */
const longestSpelling = RESERVED_KEY.length * 6 + 2;
