import { createHash } from "node:crypto";
import { utf8Length } from "./short-text.ts";

/**
 * SHA-256 over a domain tag and parts, each with the length of its bytes in front, so that no two lists of parts hash the same bytes. A list
 * inside the list needs its count as a part of its own. Strings must be well-formed: a lone surrogate would read as U+FFFD.
 */
export function sha256(tag: string, parts: Iterable<Uint8Array | string>): Uint8Array {
  const hash = createHash("sha256");
  let text = prefixed(tag);
  for (const part of parts) {
    if (typeof part === "string") {
      text += prefixed(part);
      if (text.length < chunk) continue;
      hash.update(text);
    } else {
      hash.update(`${text}${part.length}:`).update(part);
    }
    text = "";
  }
  return new Uint8Array(hash.update(text).digest());
}

/** A digest as a key or a version: 64 lower-case hexadecimal digits. */
export function hex(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.length).toString("hex");
}

/** Many short strings are hashed in one go, but not so many that they leave the processor's cache. */
const chunk = 16_384;

function prefixed(text: string): string {
  return `${utf8Length(text)}:${text}`;
}
