import { sha256 } from "../digest.ts";
import type { Header, StoredCheckpoint } from "./stored.ts";

/** The envelope that this binary writes, and the newest that it reads. */
export const ENVELOPE_VERSION = 1;

/**
 * The digest that binds a checkpoint to its tenant, thread and position: moved anywhere else, it no longer fits. The
 * payload stands in it by its own digest, so that it can be hashed before the position is known. Absent is not empty.
 */
export function envelopeDigest(header: Header): Uint8Array {
  const { identity, host, boundary, payload } = header;
  return sha256("fermata/envelope/1", [
    header.checkpointId,
    header.threadKey,
    ...(identity === undefined ? ["-"] : ["+", identity.tenantId, identity.subTenantId, identity.sessionId]),
    String(header.sequence),
    ...optional(header.parentCheckpointId),
    ...optional(header.sourceCheckpointId),
    header.origin,
    String(header.createTime),
    ...optional(header.writtenTime?.toString()),
    host.runtime,
    host.version,
    host.model,
    header.format,
    ...(boundary === undefined ? ["-"] : ["+", String(boundary.kind), boundary.proof, String(boundary.entries)]),
    ...optional(header.claimedProof),
    payload.kind,
    String(payload.length),
    payload.digest,
  ]);
}

/** Whether a stored envelope is the one that was written. A newer binary's would have come with a newer schema. */
export function isIntact(stored: StoredCheckpoint): boolean {
  if (stored.state === "damaged" || stored.envelopeVersion !== ENVELOPE_VERSION) return false;
  return sameBytes(stored.digest, envelopeDigest(stored.header));
}

/** Whether two digests are the same bytes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, position) => byte === other[position]);
}

function optional(value: string | undefined): readonly string[] {
  return value === undefined ? ["-"] : ["+", value];
}
