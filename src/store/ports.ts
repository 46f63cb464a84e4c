import type { Hold } from "../domain/conversation/hold.ts";
import type { Quarantine, StoredCheckpoint, StoredThread } from "../domain/conversation/stored.ts";
import type { NamedThread } from "../domain/conversation/thread-key.ts";
import type { Write, Written } from "../domain/conversation/write.ts";
import type { Outcome } from "../domain/outcome.ts";

/** Which thread a read is about. */
export type ThreadQuery =
  | { readonly by: "identity"; readonly named: NamedThread }
  | { readonly by: "key"; readonly key: string };

/** What a read of one checkpoint asks for. `accepted` are the pairs of format and proof that Resume accepts now. */
export interface FindQuery {
  readonly thread: ThreadQuery;
  /** Absent: the head. */
  readonly checkpointId: string | undefined;
  readonly accepted: readonly AcceptedBoundary[];
}

/** A boundary that a checkpoint may be resumed at. */
export interface AcceptedBoundary {
  readonly format: string;
  readonly proof: string;
}

/** What one consistent read found, as far as it got. */
export type Found =
  | { readonly kind: "no-thread"; readonly beside: Quarantine | undefined }
  | { readonly kind: "no-checkpoint"; readonly thread: StoredThread; readonly beside: Quarantine | undefined }
  | FoundCheckpoint;

/** A checkpoint with all that Resume judges by. */
export interface FoundCheckpoint {
  readonly kind: "checkpoint";
  readonly thread: StoredThread;
  /** A quarantined thread under another key of the same identity. */
  readonly beside: Quarantine | undefined;
  readonly checkpoint: StoredCheckpoint;
  /** False: the thread says that its head is another row than the one that stands at its head's place. */
  readonly inPlace: boolean;
  /** Absent: pruned, or not asked for. */
  readonly payload: Uint8Array<ArrayBuffer> | undefined;
  /** The newest older checkpoint of the thread that stands at an accepted boundary. */
  readonly lastSafeCheckpointId: string | undefined;
  readonly holds: readonly Hold[];
}

/** Which checkpoints are listed, oldest first. `after` is the place of the last one of the page before. */
export interface ListQuery {
  readonly of:
    | { readonly by: "thread"; readonly thread: ThreadQuery }
    | { readonly by: "tenant"; readonly tenantId: string }
    | { readonly by: "format"; readonly format: string };
  readonly after: number;
  readonly limit: number;
}

/** One page. `next` is absent on the last one; a thread that is not there is not an empty page. */
export type Listed =
  | { readonly kind: "no-thread"; readonly beside: Quarantine | undefined }
  | {
      readonly kind: "page";
      readonly beside: Quarantine | undefined;
      readonly rows: readonly { readonly thread: StoredThread; readonly checkpoint: StoredCheckpoint }[];
      readonly next: number | undefined;
    };

/** A payload cut into content-defined chunks: where each ends, and its SHA-256 (32 bytes each, one after the other). */
export interface CutPayload {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly digests: Uint8Array<ArrayBuffer>;
  /** The keys of the document's entries in their order, 32 bytes each; empty for a format without an adapter. */
  readonly entries: Uint8Array<ArrayBuffer>;
}

/** Remembers conversations. Every method throws StoreFault when the database cannot say. */
export interface ConversationStore {
  /** Made when the store was created; a copy of the store keeps it. */
  readonly storeId: string;

  /**
   * One consistent read of a thread's checkpoint (its head by default), with its payload and all that Resume judges by.
   * `no-thread` and `no-checkpoint` are answers. Creates nothing. Digests are not judged here.
   */
  find(query: FindQuery): Promise<Found>;

  /** The same read without the payload and without the last safe checkpoint. */
  look(query: Omit<FindQuery, "accepted">): Promise<Found>;

  /** One page of checkpoints without payload, in the order in which they were written. */
  list(query: ListQuery): Promise<Listed>;

  /**
   * Reads the facts, lets the domain decide and applies the change, in one transaction. Answered only when the change
   * is on disk. After a fault the outcome may be unknown: the same idempotency key tells. The payload is handed over:
   * its buffers may be empty afterwards. `until` is when the caller stops waiting; what has not begun then never will.
   */
  write(write: Write, payload: CutPayload, until: number): Promise<Outcome<Written>>;

  /**
   * Drops the payloads that nobody can need any more, never their rows, and the first answers that are too old. One
   * round over some threads, each in a transaction of its own; answers how many payloads went. Runs by itself, too.
   */
  prune(): Promise<number>;

  /** Finishes what has begun and lets the files go. Later calls throw StoreFault. */
  close(): Promise<void>;
}
