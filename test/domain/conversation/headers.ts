import { ENVELOPE_VERSION, envelopeDigest } from "../../../src/domain/conversation/envelope.ts";
import type { FoundCheckpoint } from "../../../src/domain/conversation/found.ts";
import { payloadDigest } from "../../../src/domain/conversation/payload-digest.ts";
import type { Header } from "../../../src/domain/conversation/stored.ts";

/** The header of a second checkpoint of the thread s1 of acme, with this payload. */
export function headerOf(payload: string): Header {
  const bytes = new TextEncoder().encode(payload);
  return {
    checkpointId: "01900000-0000-7000-8000-000000000001",
    threadKey: "acme:_:s1",
    identity: { tenantId: "acme", subTenantId: "", sessionId: "s1" },
    sequence: 2,
    parentCheckpointId: "01900000-0000-7000-8000-000000000000",
    sourceCheckpointId: undefined,
    origin: "issued",
    createTime: 1_700_000_000_000,
    writtenTime: undefined,
    host: { runtime: "r", version: "1", model: "m" },
    format: "openai-chat/1",
    boundary: undefined,
    claimedProof: undefined,
    payload: { kind: "text", length: bytes.length, digest: payloadDigest(bytes) },
  };
}

/** What a read finds of it: an active head, in its place, of a thread that is acme's. */
export function foundOf(header: Header, payload: Uint8Array<ArrayBuffer>): FoundCheckpoint {
  return {
    kind: "checkpoint",
    thread: {
      key: header.threadKey,
      identity: header.identity,
      tenantId: "acme",
      quarantine: undefined,
      head: { checkpointId: header.checkpointId, sequence: header.sequence },
    },
    beside: undefined,
    checkpoint: {
      header,
      envelopeVersion: ENVELOPE_VERSION,
      digest: envelopeDigest(header),
      state: "active",
      prunedAt: undefined,
    },
    inPlace: true,
    payload,
    lastSafeCheckpointId: undefined,
    holds: [],
  };
}
