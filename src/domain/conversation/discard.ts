import { type Outcome, ok, refuse } from "../outcome.ts";
import type { Instant, StoredCheckpoint, StoredThread } from "./stored.ts";

/** An operator's word that nobody will go on from a checkpoint any more. */
export interface DiscardWrite {
  readonly kind: "discard";
  readonly checkpointId: string;
  readonly actor: string;
  readonly reason: string;
  readonly now: Instant;
}

/** A checkpoint in its thread. */
export interface Placed {
  readonly thread: StoredThread;
  readonly checkpoint: StoredCheckpoint;
}

/** What the engine does: nothing for what was given up before. */
export interface DiscardChange extends Placed {
  readonly kind: "discard" | "answered";
}

/**
 * Gives a checkpoint up, whatever is wrong with it. One that a replay has retired is not there to be given up: what
 * became of it would be hidden, and a drain would count it twice.
 */
export function decideDiscard({ checkpointId }: DiscardWrite, found: Placed | undefined): Outcome<DiscardChange> {
  if (found === undefined || found.checkpoint.state === "retired")
    return refuse("checkpointNotFound", { checkpointId });
  if (found.checkpoint.state === "discarded") return ok({ kind: "answered", ...found });
  return ok({ kind: "discard", ...found, checkpoint: { ...found.checkpoint, state: "discarded" } });
}
