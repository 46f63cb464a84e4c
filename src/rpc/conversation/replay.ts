import { create } from "@bufbuild/protobuf";
import type { Found } from "../../domain/conversation/found.ts";
import { type ReplayLayout, spanOf, zoneOf } from "../../domain/conversation/layout.ts";
import { fitting, packedSize } from "../../domain/conversation/packed.ts";
import { decideReplay, type Replayable } from "../../domain/conversation/replay.ts";
import { acceptedBoundaries, type SupportWindow } from "../../domain/conversation/support-window.ts";
import type { KeyRules } from "../../domain/conversation/thread-key.ts";
import { ok } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type ReplayEntry,
  type ReplayRequest,
  type ReplayResponse,
  ReplayResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore, Documents, LaidOut } from "../../store/ports.ts";
import type { ServerStream } from "../rpc.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { termsOf } from "./judged.ts";
import { holdParts, type Parts } from "./parts.ts";
import { checkOptionalName } from "./request-checks.ts";
import { checkThreadRef, targetOfRef } from "./thread-target.ts";
import { transcriptEntry } from "./transcript-entry.ts";

/** What Replay needs. */
export interface ReplayDeps {
  readonly store: Pick<ConversationStore, "find" | "part">;
  readonly documents: Pick<Documents, "replay">;
  readonly rules: KeyRules;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
}

/** Streams a checkpoint's entries with what to do about each. All is judged before the first message; nothing is created. */
export function replay(deps: ReplayDeps): ServerStream<ReplayRequest, ReplayResponse> {
  return async (request) => {
    const { thread, checkpointId } = request;
    const violations = [...checkThreadRef("thread", thread), ...checkOptionalName("checkpoint_id", checkpointId)];
    if (violations.length > 0) return invalidRequest(violations);
    const target = targetOfRef(thread, deps.rules);
    if (target.kind === "refusal") return target;
    const window = deps.window();
    const now = deps.clock();
    const accepted = acceptedBoundaries(window, now);
    const found = await deps.store.find({ thread: target.value, checkpointId, accepted });
    const laidOut = await layOut(deps, found, window);
    const asked = { claimedTenantId: thread?.claimedTenantId, checkpointId };
    const format = found.kind === "checkpoint" ? window.formats.get(found.checkpoint.header.format) : undefined;
    const layout = laidOut?.layout;
    const outcome = decideReplay({ asked, found, examined: laidOut, layout, format, now });
    if (outcome.kind === "refusal") return outcome;
    if (laidOut === undefined) throw new Error("a replay was allowed of a payload that was not read");
    const first = firstPosition(request);
    const source = { store: deps.store, checkpointId: outcome.value.found.checkpoint.header.checkpointId };
    const parts = holdParts(source, laidOut, rangeFrom(outcome.value.layout, first));
    return ok(messages({ replayable: outcome.value, first, parts, window }));
  };
}

async function layOut(
  deps: ReplayDeps,
  found: Found,
  window: SupportWindow,
): Promise<LaidOut<ReplayLayout> | undefined> {
  if (found.kind !== "checkpoint" || found.payload === undefined) return undefined;
  const { format, claimedProof, payload } = found.checkpoint.header;
  const stored = { kind: payload.kind, bytes: found.payload, format, claimedProof, ...termsOf(format, window) };
  return await deps.documents.replay(stored);
}

function firstPosition({ afterPosition }: ReplayRequest): number {
  return afterPosition === undefined ? 0 : Number(afterPosition) + 1;
}

interface Streamed {
  readonly replayable: Replayable;
  readonly first: number;
  readonly parts: Parts;
  readonly window: SupportWindow;
}

/** Each message is made when the one before it has gone out, so that a slow reader is waited for and not written for. */
async function* messages({ replayable, first, parts, window }: Streamed): AsyncGenerator<ReplayResponse> {
  const { layout } = replayable;
  yield header(replayable, window);
  for (let position = first; position < layout.entries; ) {
    const range = rangeFrom(layout, position);
    const bytes = await parts(range.from, range.to);
    yield entries(layout, { ...range, bytes });
    position = range.end;
  }
  yield create(ReplayResponseSchema, {
    part: { case: "trailer", value: { entries: BigInt(layout.entries), digest: layout.digest } },
  });
}

/** The entries of one message: from which to which position, and from which to which byte. */
interface Range {
  readonly begin: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

function rangeFrom(layout: ReplayLayout, begin: number): Range {
  const end = begin + fitting(sizesFrom(layout, begin));
  if (end === begin) return { begin, end, from: 0, to: 0 };
  const [from] = spanOf(layout, begin);
  const [, to] = spanOf(layout, end - 1);
  return { begin, end, from, to };
}

function* sizesFrom(layout: ReplayLayout, begin: number): Generator<number> {
  for (let position = begin; position < layout.entries; position += 1) {
    yield packedSize(layout, position, [layout.callIds.get(position), layout.inDoubt.get(position)]);
  }
}

function header({ found, replayId, boundary, layout }: Replayable, window: SupportWindow): ReplayResponse {
  const source = checkpointMessage(found.thread, found.checkpoint, window);
  const prefixEntries = BigInt(boundary.entries);
  const tailEntries = BigInt(layout.entries) - prefixEntries;
  const value = { replayId, source, boundary, prefixEntries, tailEntries };
  return create(ReplayResponseSchema, { part: { case: "header", value } });
}

function entries(
  layout: ReplayLayout,
  { begin, end, from, bytes }: Range & { readonly bytes: Uint8Array },
): ReplayResponse {
  const packed = Array.from({ length: end - begin }, (_, step): ReplayEntry => {
    const position = begin + step;
    const [start, stop] = spanOf(layout, position);
    return {
      $typeName: "fermata.conversation.v1.ReplayEntry",
      zone: zoneOf(layout, position),
      entry: transcriptEntry(layout, position, bytes.subarray(start - from, stop - from)),
      inDoubtCallIds: [...(layout.inDoubt.get(position) ?? [])],
    };
  });
  return create(ReplayResponseSchema, { part: { case: "entries", value: { entries: packed } } });
}
