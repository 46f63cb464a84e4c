import { randomFillSync } from "node:crypto";
import type { Instant } from "../../domain/conversation/stored.ts";

/** A new UUID of version 7: it sorts by the time it was made at, and says nothing else. */
export function newCheckpointId(now: Instant): string {
  const bytes = randomFillSync(Buffer.alloc(16));
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
