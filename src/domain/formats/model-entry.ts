import { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import { UnsafeBoundary_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Draft, draft } from "./draft.ts";
import type { Piece } from "./pieces.ts";

/** What an entry of the model says of itself beside its pieces. */
export interface ModelState {
  /** A status or stop reason says that it was cut, is in progress or stopped at a limit. */
  readonly cut: boolean;
  /** It says that the provider suspended it. */
  readonly suspended: boolean;
  /** The model's own next entry goes on from here. */
  readonly continued: boolean;
}

/** Reads an entry of the model. `undefined`: something in it can't be paired. */
export function readModelEntry(pieces: readonly Piece[], state: ModelState): Draft | undefined {
  if (pieces.some(({ kind }) => kind === "unpairable")) return undefined;
  const calls = pieces.flatMap((piece) => (piece.kind === "call" ? [piece.call] : []));
  const problem = problemOf(pieces, state);
  return draft({
    kind: kindOf(pieces),
    author: "model",
    calls,
    results: pieces.flatMap((piece) => (piece.kind === "result" ? [piece.result] : [])),
    endsTurn: calls.length === 0 && problem === undefined,
    problem,
    thinkingLost: isThinkingLost(pieces),
  });
}

function problemOf(pieces: readonly Piece[], state: ModelState): Cause | undefined {
  if (state.cut || pieces.some(isCut) || !pieces.some(holdsSomething)) return Cause.PARTIAL_STREAM;
  if ((state.suspended || leavesProviderCalls(pieces)) && !state.continued) return Cause.PROVIDER_SUSPENDED;
  if (endsInThinking(pieces)) return Cause.THINKING_UNFINISHED;
  return pieces.some(({ kind }) => kind === "unknown") ? Cause.NO_TESTED_BOUNDARY : undefined;
}

function isCut(piece: Piece): boolean {
  if (piece.kind === "call") return piece.call.cut;
  return piece.kind === "providerCall" && piece.cut;
}

function holdsSomething(piece: Piece): boolean {
  return piece.kind === "thinking" || isFollower(piece);
}

function endsInThinking(pieces: readonly Piece[]): boolean {
  return pieces.findLastIndex(({ kind }) => kind === "thinking") > pieces.findLastIndex(isFollower);
}

// What thinking leads to. A piece of an unknown kind might be a call.
function isFollower({ kind }: Piece): boolean {
  return kind === "answer" || kind === "call" || kind === "providerCall" || kind === "unknown";
}

function leavesProviderCalls(pieces: readonly Piece[]): boolean {
  const calls = pieces.flatMap((piece) => (piece.kind === "providerCall" ? [piece.key] : []));
  if (calls.length === 0) return false;
  const results = countByKey(pieces.flatMap((piece) => (piece.kind === "providerResult" ? [piece.key] : [])));
  return [...countByKey(calls)].some(([key, count]) => count > (results.get(key) ?? 0));
}

function countByKey(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function isThinkingLost(pieces: readonly Piece[]): boolean {
  const lost = pieces.some((piece) => piece.kind === "thinking" && !piece.verbatim);
  return lost && pieces.some(({ kind }) => kind === "call" || kind === "providerCall");
}

function kindOf(pieces: readonly Piece[]): EntryKind {
  const has = (kind: Piece["kind"]) => pieces.some((piece) => piece.kind === kind);
  if (has("call")) return EntryKind.CALL;
  if (has("result")) return EntryKind.RESULT;
  if (has("answer")) return EntryKind.ASSISTANT;
  if (has("providerCall")) return EntryKind.CALL;
  return has("thinking") ? EntryKind.REASONING : EntryKind.ASSISTANT;
}
