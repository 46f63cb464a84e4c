import type { Boundary, Host } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { Refusal } from "../outcome.ts";
import { ENVELOPE_VERSION, envelopeDigest, sameBytes } from "./envelope.ts";
import type { Retry } from "./retry.ts";
import type { Header, Instant, PayloadFacts, StoredCheckpoint } from "./stored.ts";

/** What every write of a document brings. What depends only on the document and the clock is judged before it is sent. */
export interface Submitted {
  readonly checkpointId: string;
  readonly now: Instant;
  readonly retry: Retry;
  readonly host: Pick<Host, "runtime" | "version" | "model">;
  readonly format: string;
  readonly claimedProof: string | undefined;
  readonly payload: PayloadFacts;
  readonly boundary: Pick<Boundary, "kind" | "proof" | "entries"> | undefined;
  /** What speaks against the document itself. It answers after the thread and before the gate. */
  readonly unfit: Refusal | undefined;
}

/** Where a checkpoint stands: in which thread, after and in place of what. */
type Place = Pick<
  Header,
  "threadKey" | "identity" | "sequence" | "parentCheckpointId" | "sourceCheckpointId" | "origin" | "writtenTime"
>;

/** The checkpoint that a write of a document makes at a place, sealed by its digest. */
export function checkpointAt(submitted: Submitted, place: Place): StoredCheckpoint {
  const { checkpointId, now, host, format, boundary, claimedProof, payload } = submitted;
  const header = { checkpointId, createTime: now, host, format, boundary, claimedProof, payload, ...place };
  return {
    header,
    envelopeVersion: ENVELOPE_VERSION,
    digest: envelopeDigest(header),
    state: "active",
    prunedAt: undefined,
  };
}

/** Whether a checkpoint holds the very document that was submitted: its format, its kind and its bytes. */
export function isSameDocument({ format, payload }: Submitted, { header }: StoredCheckpoint): boolean {
  const same = header.format === format && header.payload.kind === payload.kind;
  return same && sameBytes(header.payload.digest, payload.digest);
}
