/** What ES2026 lets one choose. */
interface Base64Options {
  readonly alphabet?: "base64" | "base64url";
  readonly omitPadding?: boolean;
}

/**
 * `Uint8Array.prototype.toBase64` of ES2026, which Node 24 does not have yet. Without it protobuf-es builds the JSON of bytes character by
 * character: one answer with 4 MiB of them took the whole heap of a pod. It looks for the method once, when it is loaded: this goes first.
 */
function toBase64(this: Uint8Array, { alphabet = "base64", omitPadding = false }: Base64Options = {}): string {
  const text = Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString(alphabet);
  if (alphabet === "base64") return omitPadding ? text.replace(/=+$/, "") : text;
  return omitPadding ? text : text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

if (!("toBase64" in Uint8Array.prototype)) {
  Object.defineProperty(Uint8Array.prototype, "toBase64", { value: toBase64, writable: true, configurable: true });
}
