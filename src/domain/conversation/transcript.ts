import type { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import { TranscriptUnavailable_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import type { Found } from "./found.ts";
import { kindOf, type TranscriptLayout } from "./layout.ts";
import { absent, damaged, quarantined, tenantMismatch } from "./located.ts";
import { payloadDamaged, type ResumeFacts } from "./resume.ts";
import type { Instant } from "./stored.ts";

/** All that GetTranscript judges by: the head's document as it was read again, and its layout. */
export interface TranscriptFacts extends Pick<ResumeFacts, "asked" | "found" | "examined"> {
  /** Absent: no adapter reads the document. */
  readonly layout: TranscriptLayout | undefined;
}

/** Whether the head's document can be shown as a transcript at all. What can't be read is never shown as empty. */
export function decideTranscript(facts: TranscriptFacts): Outcome<TranscriptLayout> {
  const { asked, found } = facts;
  const refusal = firstRefusal([
    () => tenantMismatch(asked, found),
    () => quarantined(asked, found),
    () => (found.kind === "no-thread" ? absent(asked, found) : undefined),
    () => discarded(found),
    () => unreadable(facts),
  ]);
  if (refusal !== undefined) return refusal;
  if (facts.layout === undefined) throw new Error("a transcript passed every row without its entries");
  return ok(facts.layout);
}

/** The positions that a page is made of: after the last one of the page before, of the kinds that were asked for. */
export function positionsAsked(
  layout: TranscriptLayout,
  after: number,
  kinds: readonly EntryKind[],
): readonly number[] {
  const rest = Array.from({ length: Math.max(0, layout.entries - after - 1) }, (_, step) => after + 1 + step);
  return kinds.length === 0 ? rest : rest.filter((position) => kinds.includes(kindOf(layout, position)));
}

/**
 * Refuses what can't be dated. Judged over everything that is still to come, so that a reader never takes the pages
 * before a hole for the whole; one that wants what comes after it says so with its position.
 */
export function undated(
  threadKey: string,
  positions: readonly number[],
  times: readonly (Instant | undefined)[],
): Refusal | undefined {
  const at = times.indexOf(undefined);
  if (at < 0) return undefined;
  const all = times.every((time) => time === undefined);
  return unavailable(Cause.NO_TIMESTAMPS, threadKey, all ? undefined : positions[at]);
}

function discarded(found: Found): Refusal | undefined {
  if (found.kind !== "checkpoint" || found.checkpoint.state !== "discarded") return undefined;
  return refuse("checkpointNotFound", { checkpointId: found.checkpoint.header.checkpointId });
}

function unreadable(facts: TranscriptFacts): Refusal | undefined {
  const { found, examined, layout } = facts;
  if (found.kind === "no-thread") return undefined;
  const { key } = found.thread;
  if (found.kind === "no-checkpoint" || damaged(found) !== undefined) return unavailable(Cause.GAP, key, undefined);
  if (found.checkpoint.prunedAt !== undefined) return unavailable(Cause.NO_DURABLE_SOURCE, key, undefined);
  if (payloadDamaged({ found, examined }) !== undefined) return unavailable(Cause.GAP, key, undefined);
  return layout === undefined ? unavailable(Cause.NO_DURABLE_SOURCE, key, undefined) : undefined;
}

function unavailable(cause: Cause, threadKey: string, firstPosition: number | undefined): Refusal {
  const from = firstPosition === undefined ? {} : { firstPosition: BigInt(firstPosition) };
  return refuse("transcriptUnavailable", { cause, threadKey, ...from });
}
