const encoder = new TextEncoder();

/** How many bytes a string has in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/**
 * The string in well-formed Unicode, on one line, and at most `maxBytes` long in UTF-8. What is too long is cut on a code point and ends in
 * an ellipsis, so that a reader sees the cut.
 */
export function cutText(text: string, maxBytes: number): string {
  const line = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
  if (utf8Length(line) <= maxBytes) return line;
  const room = new Uint8Array(Math.max(0, maxBytes - 3));
  const { read } = encoder.encodeInto(line, room);
  return `${line.slice(0, read)}…`;
}
