import { create } from "@bufbuild/protobuf";
import { type Boundary, BoundaryKind, BoundarySchema } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { Format } from "./entry.ts";

/** The kinds of boundary that a scan finds, each with contract tests for the formats that can show it. */
export type TestedKind = "empty" | "turnComplete" | "awaitingInput" | "callsAnswered";

/** The boundary after so many leading entries, with the proof that must be published for it. */
export function boundaryAt(format: Format, kind: TestedKind, entries: number): Boundary {
  return create(BoundarySchema, { kind: wireKind(kind), proof: proofOf(format, kind), entries });
}

/** The proof of a kind: the format's name, the kind, and the proof's own version, which is not the format's. */
export function proofOf(format: Format, kind: TestedKind): string {
  return `${format.name}/${subject(kind)}/1`;
}

function subject(kind: TestedKind): string {
  switch (kind) {
    case "empty":
    case "turnComplete":
      return "turn-complete";
    case "awaitingInput":
      return "awaiting-input";
    case "callsAnswered":
      return "calls-answered";
  }
}

function wireKind(kind: TestedKind): BoundaryKind {
  switch (kind) {
    case "empty":
      return BoundaryKind.EMPTY;
    case "turnComplete":
      return BoundaryKind.TURN_COMPLETE;
    case "awaitingInput":
      return BoundaryKind.AWAITING_INPUT;
    case "callsAnswered":
      return BoundaryKind.CALLS_ANSWERED;
  }
}
