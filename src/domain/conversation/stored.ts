import type { Boundary, Host } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { Identity } from "./identity.ts";

/** Milliseconds since 1970, UTC. */
export type Instant = number;

/** How a checkpoint came to be. */
export type Origin = "issued" | "replayed" | "adopted";

/** A payload without its bytes. */
export interface PayloadFacts {
  readonly kind: "text" | "binary";
  readonly length: number;
  readonly digest: Uint8Array;
}

/** All of a checkpoint that its digest covers and that never changes. */
export interface Header {
  readonly checkpointId: string;
  readonly threadKey: string;
  /** Absent: the thread came by a key that proves none. An attribution later does not change what was sealed. */
  readonly identity: Identity | undefined;
  readonly sequence: number;
  readonly parentCheckpointId: string | undefined;
  readonly sourceCheckpointId: string | undefined;
  readonly origin: Origin;
  readonly createTime: Instant;
  /** When an adopted row was written, as its host says. */
  readonly writtenTime: Instant | undefined;
  readonly host: Pick<Host, "runtime" | "version" | "model">;
  readonly format: string;
  /** Found by our scan with the proofs of its day, not claimed. Absent: mid-frame. */
  readonly boundary: Pick<Boundary, "kind" | "proof" | "entries"> | undefined;
  /** The proof that the host named with a document that we can't read. A pointer, not evidence. */
  readonly claimedProof: string | undefined;
  readonly payload: PayloadFacts;
}

/** A checkpoint as the store keeps it. */
export interface StoredCheckpoint {
  readonly header: Header;
  readonly envelopeVersion: number;
  readonly digest: Uint8Array;
  /** The one part that changes. No digest covers it, so its words differ in many bytes: a flipped one is none of them. */
  readonly state: "active" | "retired" | "discarded" | "damaged";
  readonly prunedAt: Instant | undefined;
}

/** What is recorded of a thread beside its checkpoints. */
export interface StoredThread {
  readonly key: string;
  /** The identity that its digests cover; absent when none was proved at its beginning. */
  readonly identity: Identity | undefined;
  /** The recorded owner: proved by the identity, or attributed by an operator. Absent while quarantined. */
  readonly tenantId: string | undefined;
  readonly quarantine: Quarantine | undefined;
  readonly head: Head;
}

/** Why the tenant of a stored key is not proved. */
export interface Quarantine {
  readonly separatorsFound: number;
  readonly separatorsExpected: number;
}

/** The newest checkpoint of a thread. */
export interface Head {
  readonly checkpointId: string;
  readonly sequence: number;
}
