import type { UnsafeBoundary } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { Recorded } from "./attribution.ts";
import type { Hold } from "./hold.ts";
import type { Quarantine, StoredCheckpoint, StoredThread } from "./stored.ts";

/** What the engine reads for a decision, all of it under the lock that the change is made under. */
export interface Facts {
  /** The first answer under this key, on this thread. */
  readonly first: FirstAnswer | undefined;
  readonly thread: StoredThread | undefined;
  /** A quarantined thread under a key that an older host would have made of the same identity. */
  readonly beside: Quarantine | undefined;
  /** The head of the thread, where the write compares its document with it. */
  readonly head: StoredCheckpoint | undefined;
  /** Whether this thread ever had the head that the write expects. What other threads had is nobody's business here. */
  readonly hadExpectedHead: boolean;
  /** What is replayed, where the write registers a replay and this store has its source. */
  readonly source?: ReplaySource | undefined;
  /** What operators have recorded of the key, where the write is such a record. */
  readonly recorded?: Recorded | undefined;
  readonly holds: readonly Hold[];
}

/** What was acknowledged under an idempotency key. */
export interface FirstAnswer {
  readonly body: Uint8Array;
  readonly checkpoint: StoredCheckpoint;
  readonly midFrame: UnsafeBoundary | undefined;
}

/** The source of a replay, and what was registered for it already. */
export interface ReplaySource {
  readonly checkpoint: StoredCheckpoint;
  readonly output: StoredCheckpoint | undefined;
  /** The holds that have counted it: their ids. */
  readonly countedBy: readonly string[];
}
