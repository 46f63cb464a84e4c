/**
 * Where each entry of a document stands in its bytes: the first byte of entry n at 2n, the byte after it at 2n + 1.
 * The document is a JSON array that has been parsed already, so its brackets and quotes are known to match. Nothing
 * of an entry is decoded: what is shown of it is what its host wrote, down to the blanks inside it.
 */
export function entrySpans(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const spans: number[] = [];
  let depth = 0;
  let start = -1;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isBlank(byte)) continue;
    if (depth === 1 && (byte === COMMA || byte === CLOSING_BRACKET)) {
      if (start >= 0) spans.push(start, end);
      start = -1;
    } else if (depth === 1 && start < 0) start = at;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth += 1;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    end = at + 1;
  }
  return Uint32Array.from(spans);
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * The position of the closing quote: the next one with an even number of backslashes before it. In UTF-8 no byte of
 * another character looks like either. Contents are long, so the search for a quote is left to the engine.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return bytes.length;
    let before = at - 1;
    while (bytes[before] === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
}
