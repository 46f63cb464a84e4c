import { styleText } from "node:util";

/** Text that stands out: only on a terminal, and not where NO_COLOR asks for none. */
export function strong(text: string): string {
  return styleText("bold", text, { stream: process.stdout });
}

/** Text of a thing that is kept or sound. */
export function good(text: string): string {
  return styleText("green", text, { stream: process.stdout });
}

/** Text of a thing that is refused or gone. */
export function bad(text: string): string {
  return styleText("red", text, { stream: process.stdout });
}

/** Text that explains and may be skipped. */
export function quiet(text: string): string {
  return styleText("dim", text, { stream: process.stdout });
}

/** A name that came from elsewhere: what could steer the terminal is shown instead of done. */
export function printable(name: string): string {
  return name.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
