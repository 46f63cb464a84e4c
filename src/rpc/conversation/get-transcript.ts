import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Found } from "../../domain/conversation/found.ts";
import { spanOf, type TranscriptLayout } from "../../domain/conversation/layout.ts";
import { fitting, packedSize } from "../../domain/conversation/packed.ts";
import type { Instant } from "../../domain/conversation/stored.ts";
import type { SupportWindow } from "../../domain/conversation/support-window.ts";
import type { KeyRules, Target } from "../../domain/conversation/thread-key.ts";
import { decideTranscript, positionsAsked, undated } from "../../domain/conversation/transcript.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type GetTranscriptRequest,
  type GetTranscriptResponse,
  GetTranscriptResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { TranscriptEntry } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { ConversationStore, Documents, LaidOut } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { termsOf } from "./judged.ts";
import { pageSize } from "./page.ts";
import { checkThreadRef, targetOfRef } from "./thread-target.ts";
import { transcriptEntry } from "./transcript-entry.ts";

/** What GetTranscript needs. */
export interface GetTranscriptDeps {
  readonly store: Pick<ConversationStore, "find" | "times">;
  readonly documents: Pick<Documents, "transcript">;
  readonly rules: KeyRules;
  readonly window: () => SupportWindow;
}

/** The entries of a thread's head with the times at which they came into the thread, or why they can't be shown. */
export function getTranscript(deps: GetTranscriptDeps): Unary<GetTranscriptRequest, GetTranscriptResponse> {
  return async (request) => {
    const violations = checkThreadRef("thread", request.thread);
    if (violations.length > 0) return invalidRequest(violations);
    const target = targetOfRef(request.thread, deps.rules);
    if (target.kind === "refusal") return target;
    const found = await deps.store.find({ thread: target.value, checkpointId: undefined, accepted: [] });
    const laidOut = await layOut(deps, found);
    const asked = { claimedTenantId: request.thread?.claimedTenantId, checkpointId: undefined };
    const decided = decideTranscript({ asked, found, examined: laidOut, layout: laidOut?.layout });
    if (decided.kind === "refusal") return decided;
    const bytes = laidOut?.opened ?? laidOut?.bytes ?? new Uint8Array();
    return await answer(deps, request, { target: target.value, found, layout: decided.value, bytes });
  };
}

async function layOut(
  { documents, window }: GetTranscriptDeps,
  found: Found,
): Promise<LaidOut<TranscriptLayout> | undefined> {
  if (found.kind !== "checkpoint" || found.payload === undefined) return undefined;
  const { format, claimedProof, payload } = found.checkpoint.header;
  const stored = { kind: payload.kind, bytes: found.payload, format, claimedProof, ...termsOf(format, window()) };
  return await documents.transcript(stored);
}

interface Read {
  readonly target: Target;
  readonly found: Found;
  readonly layout: TranscriptLayout;
  readonly bytes: Uint8Array;
}

async function answer(
  { store }: GetTranscriptDeps,
  { afterPosition, kinds, pageSize: wished }: GetTranscriptRequest,
  { target, found, layout, bytes }: Read,
): Promise<Outcome<GetTranscriptResponse>> {
  const positions = positionsAsked(layout, afterPosition === undefined ? -1 : Number(afterPosition), kinds);
  const times = await store.times({ thread: target, keys: layout.keys, positions });
  const refusal = undated(found.kind === "no-thread" ? "" : found.thread.key, positions, times);
  if (refusal !== undefined) return refusal;
  const page = positions.slice(0, pageSize(wished));
  const count = fitting(page.map((position) => packedSize(layout, position, [layout.callIds.get(position)])));
  const entries = page.slice(0, count).map((position, at) => dated(layout, { position, bytes, time: times[at] }));
  return ok(create(GetTranscriptResponseSchema, { entries, end: count === positions.length }));
}

interface Dated {
  readonly position: number;
  readonly bytes: Uint8Array;
  readonly time: Instant | undefined;
}

function dated(layout: TranscriptLayout, { position, bytes, time }: Dated): TranscriptEntry {
  const entry = transcriptEntry(layout, position, bytes.subarray(...spanOf(layout, position)));
  return time === undefined ? entry : { ...entry, recordTime: timestampFromMs(time) };
}
