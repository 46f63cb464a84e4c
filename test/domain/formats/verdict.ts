import type { DescEnum } from "@bufbuild/protobuf";
import { type Reading, readDocument } from "../../../src/domain/formats/read.ts";
import { type Scan, scan } from "../../../src/domain/formats/scan.ts";
import { BoundaryKindSchema } from "../../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  CheckpointFormat_CauseSchema,
  UnsafeBoundary_CauseSchema,
} from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";

/** What the boundary cases expect of a document. */
export type Verdict =
  | { readonly verdict: "SAFE"; readonly boundary: string }
  | {
      readonly verdict: "UNSAFE";
      readonly cause: string;
      readonly position?: number;
      readonly openCalls: readonly string[];
      readonly completedCalls: readonly string[];
      readonly lastSafePosition?: number;
      readonly otherCauses?: number;
    }
  | { readonly verdict: "FORMAT"; readonly cause: string };

/** The verdict on a document that a host stores as JSON. */
export function judge(adapter: string, state: unknown, proofs: readonly string[] = ["turn-complete"]): Verdict {
  return judgeText(adapter, JSON.stringify(state), proofs);
}

/** The same for the text of a document. */
export function judgeText(adapter: string, text: string, proofs: readonly string[] = ["turn-complete"]): Verdict {
  const reading = readText(adapter, text);
  if (reading.kind === "refusal") return formatVerdict(reading);
  if (reading.kind === "opaque") throw new Error("no adapter");
  return scanVerdict(scan(reading, new Set(proofs.map((proof) => `${adapter}/${proof}/1`))));
}

function readText(adapter: string, text: string): Reading {
  return readDocument(`${adapter}/1`, { case: "text", value: text }, []);
}

function formatVerdict(reading: Extract<Reading, { kind: "refusal" }>): Verdict {
  if (reading.leaf.case !== "checkpointFormat") throw new Error(`unexpected leaf ${reading.leaf.case}`);
  return { verdict: "FORMAT", cause: nameOf(CheckpointFormat_CauseSchema, reading.leaf.value.cause) };
}

/** What a scan found, as the cases say it. */
export function scanVerdict(found: Scan): Verdict {
  if (found.kind === "boundary") return { verdict: "SAFE", boundary: nameOf(BoundaryKindSchema, found.boundary.kind) };
  const { cause, position, openCalls, completedCalls, lastSafePosition, otherCauses } = found.unsafe;
  return {
    verdict: "UNSAFE",
    cause: nameOf(UnsafeBoundary_CauseSchema, cause),
    ...(position === undefined ? {} : { position }),
    openCalls: openCalls?.names ?? [],
    completedCalls: completedCalls?.names ?? [],
    ...(lastSafePosition === undefined ? {} : { lastSafePosition }),
    ...(otherCauses ? { otherCauses } : {}),
  };
}

function nameOf(values: DescEnum, number: number | undefined): string {
  return values.value[number ?? 0]?.localName ?? "?";
}
