import type { Boundary } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { IssuanceState } from "../../gen/fermata/conversation/v1/freeze_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { sameBytes } from "./envelope.ts";
import type { Found, FoundCheckpoint } from "./found.ts";
import { coveringHold, holdsATenant } from "./hold.ts";
import { startOf, type Verdict } from "./judge.ts";
import { type Asked, absent, corrupt, damaged, gone, quarantined, tenantMismatch } from "./located.ts";
import type { Instant } from "./stored.ts";
import { pastHorizon, type SupportedFormat } from "./support-window.ts";

/** All that Resume judges by. Rows 1 and 2 were passed when the thread was named. */
export interface ResumeFacts {
  readonly asked: Asked;
  readonly found: Found;
  /** The payload as it was read again; absent where there was none to read. */
  readonly examined: { readonly digest: Uint8Array; readonly length: number; readonly verdict: Verdict } | undefined;
  readonly format: SupportedFormat | undefined;
  readonly now: Instant;
}

/** A checkpoint and its payload as it was read again. */
type Payload = Pick<ResumeFacts, "found" | "examined">;

/** A checkpoint that may be picked up. */
export interface Resumable {
  readonly found: FoundCheckpoint;
  readonly boundary: Boundary;
  readonly issuance: IssuanceState;
}

/** Resume's rows from top to bottom: the first that matches answers. */
export function decideResume(facts: ResumeFacts): Outcome<Resumable> {
  return firstRefusal([() => unusable(facts), () => expired(facts), () => unsafe(facts)]) ?? resumable(facts);
}

/** Rows 3 to 6: whether there is such a checkpoint for this caller, and it is what was written, in its own format. */
export function unusable(facts: Pick<ResumeFacts, "asked" | "found" | "examined">): Refusal | undefined {
  return firstRefusal([
    () => tenantMismatch(facts.asked, facts.found),
    () => quarantined(facts.asked, facts.found),
    () => absent(facts.asked, facts.found),
    () => gone(facts.found),
    () => damaged(facts.found),
    () => payloadDamaged(facts),
    () => notOfItsFormat(facts),
  ]);
}

/** The part of row 6 that needs the payload: whether it is the one that was written. */
export function payloadDamaged({ found, examined }: Payload): Refusal | undefined {
  if (found.kind !== "checkpoint") return undefined;
  const { payload, checkpointId } = found.checkpoint.header;
  if (examined === undefined || examined.length !== payload.length) return corrupt(checkpointId);
  return sameBytes(examined.digest, payload.digest) ? undefined : corrupt(checkpointId);
}

/** The rest of row 6: the recogniser's refusal, with the checkpoint that it is about. */
function notOfItsFormat({ found, examined }: Payload): Refusal | undefined {
  const verdict = examined?.verdict;
  if (verdict?.kind !== "refusal" || found.kind !== "checkpoint") return undefined;
  if (verdict.leaf.case !== "checkpointFormat") return verdict;
  const { checkpointId } = found.checkpoint.header;
  return { kind: "refusal", leaf: { case: "checkpointFormat", value: { ...verdict.leaf.value, checkpointId } } };
}

function expired({ found, examined, format, now }: ResumeFacts): Refusal | undefined {
  if (found.kind !== "checkpoint") return undefined;
  const replayable = examined !== undefined && startOf(examined.verdict) !== undefined;
  return pastHorizon(format, now, { checkpointId: found.checkpoint.header.checkpointId, replayable });
}

/** Replay starts from a tested boundary of the document itself; an older checkpoint's is named, and resumed by its id. */
function unsafe({ found, examined, format }: ResumeFacts): Refusal | undefined {
  const verdict = examined?.verdict;
  if (verdict?.kind !== "midFrame" || found.kind !== "checkpoint") return undefined;
  const { lastSafeCheckpointId } = found;
  return refuse("unsafeBoundary", {
    ...verdict.unsafe,
    checkpointId: found.checkpoint.header.checkpointId,
    lastSafeCheckpointId: lastSafeCheckpointId ?? "",
    replayPossible: verdict.lastSafe !== undefined && format?.hasAdapter === true,
  });
}

function resumable({ found, examined }: ResumeFacts): Outcome<Resumable> {
  if (found.kind !== "checkpoint" || examined?.verdict.kind !== "boundary") {
    throw new Error("a checkpoint passed every row without standing at a boundary");
  }
  return ok({ found, boundary: examined.verdict.boundary, issuance: issuanceOf(found) });
}

/** Whether the next Issue onto this thread would pass the gate. */
function issuanceOf({ thread, checkpoint, holds }: FoundCheckpoint): IssuanceState {
  const undecidable = thread.quarantine !== undefined && holdsATenant(holds);
  const hold = coveringHold(holds, { tenantId: thread.tenantId, format: checkpoint.header.format });
  return undecidable || hold !== undefined ? IssuanceState.FROZEN : IssuanceState.OPEN;
}
