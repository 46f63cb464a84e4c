import type { Document } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { Refusal } from "../outcome.ts";
import type { EntriesReading, OpaqueReading } from "./entry.ts";

/** A document as its format reads it, or the CHECKPOINT_FORMAT refusal that says why not. */
export type Reading = EntriesReading | OpaqueReading | Refusal;

/** Reads a document as the format that it declares, and as no other. `listed`: the formats of the configuration. */
export function readDocument(format: string, content: Document["content"], listed: readonly string[]): Reading {
  throw new Error(`not yet: ${format} ${content.case} ${listed.length}`);
}
