import type { UnsafeBoundary } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { Outcome } from "../outcome.ts";
import { type AdoptWrite, decideAdopt } from "./adopt.ts";
import { type AttributeWrite, type Attribution, decideAttribute, type Recorded } from "./attribute.ts";
import type { Counted } from "./drain-count.ts";
import type { Hold } from "./hold.ts";
import { decideIssue, type IssueWrite } from "./issue.ts";
import type { LegacyKey } from "./legacy-key.ts";
import { decideRegisterReplay, type RegisterReplayWrite, type ReplaySource } from "./register-replay.ts";
import type { Head, Instant, Quarantine, StoredCheckpoint, StoredThread } from "./stored.ts";

/** A write as data. It goes to the engine, which reads the facts and asks `decide` in its transaction. */
export type Write = IssueWrite | AdoptWrite | RegisterReplayWrite | AttributeWrite;

/** What makes a retry recognisable: the key per thread, and the digest of everything that it asked for. */
export interface Retry {
  readonly key: string;
  /** As the caller sent it; empty when the key was derived. */
  readonly shown: string;
  readonly body: Uint8Array;
}

/** What the engine reads for a decision, all of it under the lock that the change is made under. */
export interface Facts {
  /** The first answer under this key, on this thread. */
  readonly first: FirstAnswer | undefined;
  readonly thread: StoredThread | undefined;
  /** A quarantined thread under a key that an older host would have made of the same identity. */
  readonly beside: Quarantine | undefined;
  /** The head of the thread, where the write compares its document with it. */
  readonly head: StoredCheckpoint | undefined;
  /** Whether this store ever had the head that the write expects, in whatever thread. */
  readonly knowsExpectedHead: boolean;
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

/** What the engine does, all or nothing. `repeat` writes nothing. */
export type Change = Repeat | Append | Attribute;

/** The first answer once more. */
export interface Repeat {
  readonly kind: "repeat";
  readonly first: Pick<FirstAnswer, "checkpoint" | "midFrame">;
  readonly thread: StoredThread;
}

/** A new checkpoint at a thread's head; with `begins` the thread begins with it. */
export interface Append {
  readonly kind: "append";
  readonly begins: { readonly now: Instant; readonly legacy: LegacyKey | undefined } | undefined;
  readonly thread: StoredThread;
  readonly previous: Head | undefined;
  readonly checkpoint: StoredCheckpoint;
  /** The checkpoint that nobody goes on from any more, since this one is its replay. */
  readonly retires?: string;
  /** The holds whose drains count it from now on, where it was adopted. */
  readonly counted?: readonly Counted[];
  readonly retry: Retry;
  readonly midFrame: UnsafeBoundary | undefined;
}

/** A record of who owns a thread. Its checkpoints stay as they are. */
export interface Attribute {
  readonly kind: "attribute";
  readonly thread: StoredThread;
  readonly head: StoredCheckpoint;
  readonly record: Attribution;
  readonly now: Instant;
  /** The holds whose drains count its head from now on. */
  readonly counted: readonly Counted[];
}

/** What a write answers: the checkpoint that stands now, and whether it was the first answer again. */
export interface Written {
  readonly thread: StoredThread;
  readonly checkpoint: StoredCheckpoint;
  readonly midFrame: UnsafeBoundary | undefined;
  readonly repeated: boolean;
}

/** The one decision of every write. Pure: no engine holds a rule. */
export function decide(write: Write, facts: Facts): Outcome<Change> {
  switch (write.kind) {
    case "issue":
      return decideIssue(write, facts);
    case "adopt":
      return decideAdopt(write, facts);
    case "registerReplay":
      return decideRegisterReplay(write, facts);
    case "attribute":
      return decideAttribute(write, facts);
  }
}

/** What the caller is told of a change that has been committed. */
export function written(change: Change): Written {
  switch (change.kind) {
    case "repeat":
      return {
        thread: change.thread,
        checkpoint: asAnswered(change.first),
        midFrame: change.first.midFrame,
        repeated: true,
      };
    case "append":
      return { thread: change.thread, checkpoint: change.checkpoint, midFrame: change.midFrame, repeated: false };
    case "attribute":
      return { thread: change.thread, checkpoint: change.head, midFrame: undefined, repeated: false };
  }
}

/** The first answer was given before anything else could happen to its checkpoint. */
function asAnswered({ checkpoint }: Pick<FirstAnswer, "checkpoint">): StoredCheckpoint {
  return { ...checkpoint, state: "active", prunedAt: undefined };
}
