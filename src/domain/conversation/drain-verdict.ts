import { describeLeaf } from "../refusal-rule.ts";
import type { FoundCheckpoint } from "./found.ts";
import { decideReplay, type ReplayFacts } from "./replay.ts";

/** What a verdict on an artifact is made of: what Replay judges by, but for the clock. */
export interface VerdictFacts extends Pick<ReplayFacts, "examined" | "layout" | "format"> {
  readonly found: FoundCheckpoint;
}

/**
 * Whether a replay can move an artifact: '', or the leaf that Replay would answer, in upper case. The end of a format is
 * left out: it passes without a write, so it is judged at each read.
 */
export function drainVerdict({ found, examined, layout, format }: VerdictFacts): string {
  const asked = { claimedTenantId: undefined, checkpointId: found.checkpoint.header.checkpointId };
  const endless = format && { ...format, end: undefined };
  const outcome = decideReplay({ asked, found, examined, layout, format: endless, now: 0 });
  return outcome.kind === "ok" ? "" : describeLeaf(outcome.leaf).reason;
}
