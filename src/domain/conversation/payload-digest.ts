import { createHash } from "node:crypto";

/** The SHA-256 of a payload's bytes, bare: what a host can compute over its own document and compare. */
export function payloadDigest(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}
