import type { EntriesReading, OpaqueReading } from "../formats/entry.ts";
import { type Scan } from "../formats/scan.ts";

/** What is needed beside the document to say where it stands. */
export interface Proofs {
  /** The proofs that the support window publishes for the document's format. */
  readonly published: ReadonlySet<string>;
  /** The `boundary_proof` that the host names; counts only where no adapter reads the format. */
  readonly claimed: string | undefined;
}

/** Where a document stands: by our scan if an adapter reads it, else by the host's claim if that proof is published. */
export function findBoundary(reading: EntriesReading | OpaqueReading, proofs: Proofs): Scan {
  throw new Error(`not yet: ${reading.kind} ${proofs.claimed}`);
}
