import { sha256 } from "../domain/digest.ts";

/** The shortest chunk but the last, the size that cuts are normalised around, and the longest. */
export const chunkSizes = { shortest: 4096, usual: 16_384, longest: 65_536 } as const;

/**
 * Where a payload is cut: by its content (FastCDC, two masks around the usual size), so that a history that grew keeps
 * the chunks it had. The ends of the chunks in order; none for an empty payload. A cut never moves between versions.
 */
export function cutsOf(bytes: Uint8Array): readonly number[] {
  const ends: number[] = [];
  let start = 0;
  while (start < bytes.length) {
    start = nextCut(bytes, start);
    ends.push(start);
  }
  return ends;
}

/** One number a byte, for ever the same: the first four bytes of a digest over the byte's value. */
const gear = Int32Array.from({ length: 256 }, (_, byte) => {
  const digest = sha256("fermata/gear/1", [Uint8Array.of(byte)]);
  return new DataView(digest.buffer, digest.byteOffset).getInt32(0);
});

// The hash is shifted by one bit a byte, so its upper bits hold the last 17 to 32 bytes. Two bits more, and two fewer,
// than the fourteen that cut every 16 KiB on average: chunks gather around the usual size.
const maskBeforeUsual = 0xffff0000 | 0;
const maskAfterUsual = 0xfff00000 | 0;

function nextCut(bytes: Uint8Array, start: number): number {
  const end = Math.min(start + chunkSizes.longest, bytes.length);
  const usual = Math.min(start + chunkSizes.usual, end);
  let hash = 0;
  let at = Math.min(start + chunkSizes.shortest, end);
  for (; at < usual; at += 1) {
    hash = ((hash << 1) + (gear[bytes[at] ?? 0] ?? 0)) | 0;
    if ((hash & maskBeforeUsual) === 0) return at + 1;
  }
  for (; at < end; at += 1) {
    hash = ((hash << 1) + (gear[bytes[at] ?? 0] ?? 0)) | 0;
    if ((hash & maskAfterUsual) === 0) return at + 1;
  }
  return end;
}
