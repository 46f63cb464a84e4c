import { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import { UnsafeBoundary_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Draft, draft } from "./draft.ts";
import type { Piece } from "./pieces.ts";

/** Reads an entry of the host that may answer the calls of the entry before it. `undefined`: something in it can't be paired. */
export function readHostEntry(pieces: readonly Piece[], previous: Draft | undefined): Draft | undefined {
  if (pieces.some(({ kind }) => kind === "unpairable")) return undefined;
  const answers = pieces.some(({ kind }) => kind === "result");
  const results = answers ? pieces.flatMap((piece) => (piece.kind === "result" ? [piece.result] : [])) : [];
  const onlySystem = pieces.length > 0 && pieces.every(({ kind }) => kind === "system");
  return draft({
    kind: answers ? EntryKind.RESULT : onlySystem ? EntryKind.SYSTEM : EntryKind.USER,
    author: onlySystem ? "system" : "host",
    results,
    problem: pieces.some(isUntested) ? Cause.NO_TESTED_BOUNDARY : undefined,
    joins: previous?.author === "model",
  });
}

// The host makes no calls: what looks like one in its entry is a kind that no test covers.
function isUntested({ kind }: Piece): boolean {
  return kind === "unknown" || kind === "call" || kind === "providerCall";
}
