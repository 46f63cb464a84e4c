import type { UnsafeBoundary } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { Attribution } from "./attribution.ts";
import type { Counted } from "./drain-count.ts";
import type { LegacyKey } from "./legacy-key.ts";
import type { Retry } from "./retry.ts";
import type { Head, Instant, StoredCheckpoint, StoredThread } from "./stored.ts";
import type { FirstAnswer } from "./write-facts.ts";

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
