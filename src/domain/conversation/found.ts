import type { Hold } from "./hold.ts";
import type { Quarantine, StoredCheckpoint, StoredThread } from "./stored.ts";

/** What one consistent read found of a thread's checkpoint, as far as it got. */
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
