import type { Write } from "../domain/conversation/decide.ts";
import type { Found } from "../domain/conversation/found.ts";
import type { Judged, Verdict } from "../domain/conversation/judge.ts";
import type { ReplayLayout, TranscriptLayout } from "../domain/conversation/layout.ts";
import type {
  Instant,
  PayloadFacts,
  Quarantine,
  StoredCheckpoint,
  StoredThread,
} from "../domain/conversation/stored.ts";
import type { Target } from "../domain/conversation/thread-key.ts";
import type { Written } from "../domain/conversation/write.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { OperatorStore } from "./operator-ports.ts";

/** What a read of one checkpoint asks for. `accepted` are the pairs of format and proof that Resume accepts now. */
export interface FindQuery {
  readonly thread: Target;
  /** Absent: the head. */
  readonly checkpointId: string | undefined;
  readonly accepted: readonly AcceptedBoundary[];
}

/** A boundary that a checkpoint may be resumed at. */
export interface AcceptedBoundary {
  readonly format: string;
  readonly proof: string;
}

/** Which checkpoints are listed, oldest first. `after` is the place of the last one of the page before. */
export interface ListQuery {
  readonly of:
    | { readonly by: "thread"; readonly thread: Target }
    | { readonly by: "tenant"; readonly tenantId: string }
    | { readonly by: "format"; readonly format: string }
    /** The heads that a drain still waits for: in no format whose replay has ended, and not judged as what none can move. */
    | {
        readonly by: "remaining";
        readonly freezeId: string;
        readonly expired: readonly string[];
        readonly terms: string;
      };
  readonly after: number;
  readonly limit: number;
}

/** One page. `next` is absent on the last one; a thread that is not there is not an empty page. */
export type Listed =
  | { readonly kind: "no-thread"; readonly beside: Quarantine | undefined }
  | { readonly kind: "no-freeze" }
  | {
      readonly kind: "page";
      /** The thread that was asked for; absent when it was a tenant or a format. */
      readonly thread: StoredThread | undefined;
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

/** A payload that was read again from the store. */
export interface Examined {
  readonly digest: Uint8Array;
  readonly length: number;
  readonly verdict: Verdict;
  /** The bytes: those that were handed in are empty afterwards if they went to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A payload that was read again, with its entries laid out in it. */
export interface LaidOut<L> extends Examined {
  /** Absent: there are no entries to lay out. */
  readonly layout: L | undefined;
  /** The payload of an envelope in the document: then the layout counts in it. Absent: in `bytes`. */
  readonly opened: Uint8Array<ArrayBuffer> | undefined;
}

/** A part of the payload of a checkpoint, from one byte up to another. */
export interface PartQuery {
  readonly checkpointId: string;
  readonly from: number;
  readonly to: number;
}

/** Which entries of a document are to be dated. `keys` are those of all its entries: equal ones are told apart by their order. */
export interface TimesQuery {
  readonly thread: Target;
  readonly keys: Uint8Array<ArrayBuffer>;
  readonly positions: readonly number[];
}

/** A document that is to be stored: where it stands, and its payload ready for the store. */
export interface Prepared {
  readonly verdict: Verdict;
  readonly facts: PayloadFacts;
  readonly payload: CutPayload;
}

/** Reads documents, small ones at once and large ones on a thread of their own, so that no caller waits for another's. */
export interface Documents {
  /** The verdict on a document that is not stored. */
  judge(judged: Judged): Promise<Verdict>;

  /** The verdict on stored bytes, with their digest. The bytes are handed over and come back. */
  examine(stored: Stored): Promise<Examined>;

  /** The same for a replay from the last tested boundary. */
  replay(stored: Stored): Promise<LaidOut<ReplayLayout>>;

  /** The same for a transcript. */
  transcript(stored: Stored): Promise<LaidOut<TranscriptLayout>>;

  /** The verdict on a document, with its payload digested and cut. */
  prepare(judged: Judged): Promise<Prepared>;

  /** Lets the thread go. */
  close(): Promise<void>;
}

/** Stored bytes and the terms that they are judged by. */
export interface Stored extends Omit<Judged, "content"> {
  readonly kind: PayloadFacts["kind"];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Remembers conversations. Every method throws StoreFault when the database cannot say. */
export interface ConversationStore extends OperatorStore {
  /** Made when the store was created; a copy of the store keeps it. */
  readonly storeId: string;

  /**
   * One consistent read of a thread's checkpoint (its head by default), with its payload and all that Resume judges by.
   * `no-thread` and `no-checkpoint` are answers. Creates nothing. Digests are not judged here.
   */
  find(query: FindQuery): Promise<Found>;

  /** The same read without the payload and without the last safe checkpoint. */
  look(query: Omit<FindQuery, "accepted">): Promise<Found>;

  /**
   * A part of a payload that `find` has given before, each chunk of it verified again. For a reader that is slower than
   * we want to hold a whole document for. Throws StoreFault if it is gone meanwhile.
   */
  part(query: PartQuery): Promise<Uint8Array<ArrayBuffer>>;

  /** When each of these entries was first held by a checkpoint of the thread, in their order; absent where that is not known. */
  times(query: TimesQuery): Promise<readonly (Instant | undefined)[]>;

  /** One page of checkpoints without payload, in the order in which they were written. */
  list(query: ListQuery): Promise<Listed>;

  /**
   * Reads the facts, lets the domain decide and applies the change, in one transaction. Answered only when the change
   * is on disk. After a fault the outcome may be unknown: the same idempotency key tells. The payload is handed over:
   * its buffers may be empty afterwards. `until` is when the caller stops waiting; what has not begun then never will.
   */
  write(write: Write, payload: CutPayload, until: number): Promise<Outcome<Written>>;

  /**
   * Drops the payloads that nobody can need any more, never their rows, and the first answers and lines of the audit that
   * are too old. One round over some threads, each in a transaction of its own; answers how many payloads went. Runs by itself, too.
   */
  prune(): Promise<number>;

  /** Finishes what has begun and lets the files go. Later calls throw StoreFault. */
  close(): Promise<void>;
}
