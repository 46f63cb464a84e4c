import { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import { UnsafeBoundary_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Draft, draft } from "./draft.ts";
import type { Call, Result } from "./entry.ts";
import type { Piece } from "./pieces.ts";

/** What an entry of the model says of itself beside its pieces. */
export interface ModelState {
  /** A status or stop reason says that it was cut, is in progress or stopped at a limit. */
  readonly cut: boolean;
  /** The model refused, or a filter ended its answer: nothing more comes, even if it holds nothing. */
  readonly refused: boolean;
  /** It says that the provider suspended it. */
  readonly suspended: boolean;
  /** The model's own next entry goes on from here. */
  readonly continued: boolean;
}

/** The state of an entry that says nothing of itself. */
export const SETTLED: ModelState = { cut: false, refused: false, suspended: false, continued: false };

/** Reads an entry of the model. `undefined`: something in it can't be paired. */
export function readModelEntry(pieces: readonly Piece[], state: ModelState): Draft | undefined {
  const kinds = pieces.map(({ kind }) => kind);
  if (kinds.includes("unpairable")) return undefined;
  const problem = problemOf(pieces, kinds, state);
  const calls = kinds.includes("call") ? callsOf(pieces) : NONE;
  return draft({
    kind: kindOf(kinds),
    author: "model",
    calls,
    results: kinds.includes("result") ? resultsOf(pieces) : NONE,
    endsTurn: calls.length === 0 && problem === undefined,
    problem,
    thinkingLost: kinds.includes("thinking") && isThinkingLost(pieces, kinds),
  });
}

function callsOf(pieces: readonly Piece[]): readonly Call[] {
  const calls: Call[] = [];
  for (const piece of pieces) if (piece.kind === "call") calls.push(piece.call);
  return calls;
}

function resultsOf(pieces: readonly Piece[]): readonly Result[] {
  const results: Result[] = [];
  for (const piece of pieces) if (piece.kind === "result") results.push(piece.result);
  return results;
}

type Kinds = readonly Piece["kind"][];

const NONE: readonly never[] = [];

function problemOf(pieces: readonly Piece[], kinds: Kinds, state: ModelState): Cause | undefined {
  if (state.cut || pieces.some(isCut)) return Cause.PARTIAL_STREAM;
  if (!state.refused && !kinds.some(holdsSomething)) return Cause.PARTIAL_STREAM;
  if (!state.continued && (state.suspended || leavesProviderCalls(pieces, kinds))) return Cause.PROVIDER_SUSPENDED;
  if (kinds.lastIndexOf("thinking") > kinds.findLastIndex(isFollower)) return Cause.THINKING_UNFINISHED;
  return kinds.includes("unknown") ? Cause.NO_TESTED_BOUNDARY : undefined;
}

function isCut(piece: Piece): boolean {
  if (piece.kind === "call") return piece.call.cut;
  return piece.kind === "providerCall" && piece.cut;
}

function holdsSomething(kind: Piece["kind"]): boolean {
  return kind === "thinking" || isFollower(kind);
}

// What thinking leads to. A piece of an unknown kind might be a call.
function isFollower(kind: Piece["kind"]): boolean {
  return kind === "answer" || kind === "call" || kind === "providerCall" || kind === "unknown";
}

function leavesProviderCalls(pieces: readonly Piece[], kinds: Kinds): boolean {
  if (!kinds.includes("providerCall")) return false;
  const results = countKeys(pieces, "providerResult");
  return [...countKeys(pieces, "providerCall")].some(([key, count]) => count > (results.get(key) ?? 0));
}

function countKeys(pieces: readonly Piece[], kind: "providerCall" | "providerResult"): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const piece of pieces) {
    if (piece.kind === kind) counts.set(piece.key, (counts.get(piece.key) ?? 0) + 1);
  }
  return counts;
}

function isThinkingLost(pieces: readonly Piece[], kinds: Kinds): boolean {
  if (!kinds.includes("call") && !kinds.includes("providerCall")) return false;
  return pieces.some((piece) => piece.kind === "thinking" && !piece.verbatim);
}

function kindOf(kinds: Kinds): EntryKind {
  if (kinds.includes("call")) return EntryKind.CALL;
  if (kinds.includes("result")) return EntryKind.RESULT;
  if (kinds.includes("answer")) return EntryKind.ASSISTANT;
  if (kinds.includes("providerCall")) return EntryKind.CALL;
  return kinds.includes("thinking") ? EntryKind.REASONING : EntryKind.ASSISTANT;
}
