import type { Boundary } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { TranscriptUnavailable_Cause, UnsafeBoundary_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { hex, sha256 } from "../digest.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import type { FoundCheckpoint } from "./found.ts";
import { startOf } from "./judge.ts";
import type { ReplayLayout } from "./layout.ts";
import { type ResumeFacts, unusable } from "./resume.ts";
import type { StoredCheckpoint } from "./stored.ts";
import { pastHorizon } from "./support-window.ts";

/** All that Replay judges by: what Resume does, and the layout of what was read. */
export interface ReplayFacts extends ResumeFacts {
  /** Absent: no adapter reads the format, or no boundary is in the document. */
  readonly layout: ReplayLayout | undefined;
}

/** A checkpoint that can be gone through again, from a tested boundary in its own document. */
export interface Replayable {
  readonly found: FoundCheckpoint;
  readonly replayId: string;
  readonly boundary: Boundary;
  readonly layout: ReplayLayout;
}

/** Rows 1 to 7 of Resume, the horizon only past the end of replays; then whether there is a boundary, and entries to show. */
export function decideReplay(facts: ReplayFacts): Outcome<Replayable> {
  const refusal = firstRefusal([
    () => unusable(facts),
    () => replayExpired(facts),
    () => noBoundary(facts),
    () => noEntries(facts),
  ]);
  return refusal ?? replayable(facts);
}

/** The name of a replay: a digest over its source's envelope, so that the same source has the same, whatever is published meanwhile. */
export function replayIdOf(source: Pick<StoredCheckpoint, "digest">): string {
  return hex(sha256("fermata/replay/1", [source.digest]));
}

function replayExpired({ found, format, now }: ReplayFacts): Refusal | undefined {
  if (found.kind !== "checkpoint" || format?.end === undefined || now < format.end.replayUntil) return undefined;
  return pastHorizon(format, now, { checkpointId: found.checkpoint.header.checkpointId, replayable: true });
}

/** An older checkpoint's boundary is where its own replay or Resume starts; in this document nobody has tested it. */
function noBoundary({ found, examined, layout, format }: ReplayFacts): Refusal | undefined {
  if (found.kind !== "checkpoint" || examined === undefined || startOf(examined.verdict) !== undefined)
    return undefined;
  const { lastSafeCheckpointId } = found;
  if (layout === undefined && lastSafeCheckpointId !== undefined && format?.hasAdapter !== true) return undefined;
  return refuse("unsafeBoundary", {
    cause: UnsafeBoundary_Cause.NO_TESTED_BOUNDARY,
    checkpointId: found.checkpoint.header.checkpointId,
    lastSafeCheckpointId: lastSafeCheckpointId ?? "",
    replayPossible: false,
  });
}

function noEntries({ found, layout }: ReplayFacts): Refusal | undefined {
  if (found.kind !== "checkpoint" || layout !== undefined) return undefined;
  const cause = TranscriptUnavailable_Cause.NO_DURABLE_SOURCE;
  return refuse("transcriptUnavailable", { cause, threadKey: found.thread.key });
}

function replayable({ found, examined, layout }: ReplayFacts): Outcome<Replayable> {
  const boundary = examined && startOf(examined.verdict);
  if (found.kind !== "checkpoint" || boundary === undefined || layout === undefined) {
    throw new Error("a checkpoint passed every row without a replay");
  }
  return ok({ found, replayId: replayIdOf(found.checkpoint), boundary, layout });
}
