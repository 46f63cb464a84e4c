import { create } from "@bufbuild/protobuf";
import { BoundaryKind, BoundarySchema } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { UnsafeBoundary_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { EntriesReading, OpaqueReading } from "../formats/entry.ts";
import { type Scan, scan } from "../formats/scan.ts";

/** What is needed beside the document to say where it stands. */
export interface Proofs {
  /** The proofs that the support window publishes for the document's format. */
  readonly published: ReadonlySet<string>;
  /** The `boundary_proof` that the host names; counts only where no adapter reads the format. */
  readonly claimed: string | undefined;
}

/** Where a document stands: by our scan if an adapter reads it, else by the host's claim if that proof is published. */
export function findBoundary(reading: EntriesReading | OpaqueReading, { published, claimed }: Proofs): Scan {
  switch (reading.kind) {
    case "entries":
      return scan(reading, published);
    case "opaque":
      return claimed !== undefined && published.has(claimed) ? declared(claimed) : untested();
  }
}

function declared(proof: string): Scan {
  return { kind: "boundary", boundary: create(BoundarySchema, { kind: BoundaryKind.DECLARED, proof }) };
}

function untested(): Scan {
  return { kind: "midFrame", unsafe: { cause: Cause.NO_TESTED_BOUNDARY }, lastSafe: undefined };
}
