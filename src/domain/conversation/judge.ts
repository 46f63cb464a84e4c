import { create } from "@bufbuild/protobuf";
import {
  type Boundary,
  BoundaryKind,
  BoundarySchema,
  type Document,
} from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { CheckpointFormat_Cause, UnsafeBoundary_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { EntriesReading } from "../formats/entry.ts";
import { readDocument } from "../formats/read.ts";
import { scan } from "../formats/scan.ts";
import { type Facts, type Refusal, refuse } from "../outcome.ts";
import { type Opened, unseal } from "./sealed.ts";

/** A document with the proof that its host names for it, and the terms that it is judged by. */
export interface Judged {
  readonly format: string;
  readonly content: Document["content"];
  readonly claimedProof: string | undefined;
  /** The formats of the configuration. */
  readonly listed: readonly string[];
  /** The proofs that are published for its format. */
  readonly published: ReadonlySet<string>;
}

/** Rows 6, 8 and 9 for a document: whether it is of its format, and where it stands. The horizon stands between them. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Only of a format with an adapter. */
  readonly reading: EntriesReading | undefined;
  /** The payload of an envelope that stood in the document: then the reading is of it, and not of the text around it. */
  readonly opened: Uint8Array | undefined;
}

/** Where a document stands; or a CHECKPOINT_FORMAT refusal. */
export type Verdict =
  | Refusal
  | { readonly kind: "boundary"; readonly boundary: Boundary }
  | { readonly kind: "midFrame"; readonly unsafe: UnsafeFacts; readonly lastSafe: Boundary | undefined };

/** What a scan says of an unsafe document; which checkpoint it is comes from the store. */
export type UnsafeFacts = Facts<"unsafeBoundary">;

/** Judges a document by our own scan, whatever its host claims. An envelope in it is verified and its payload judged. */
export function judge(judged: Judged): Judgement {
  const sealed = judged.content.case === "text" ? unseal(judged.content.value, judged.format) : undefined;
  if (sealed === undefined) return judgeBare(judged);
  if (sealed.kind === "refusal") return { verdict: sealed, reading: undefined, opened: undefined };
  return judgeSealed(judged, sealed.value);
}

/** The boundary that a replay of this document starts from: the last tested one, wherever the document itself ends. */
export function startOf(verdict: Verdict): Boundary | undefined {
  switch (verdict.kind) {
    case "refusal":
      return undefined;
    case "boundary":
      return verdict.boundary;
    case "midFrame":
      return verdict.lastSafe;
  }
}

function judgeSealed(judged: Judged, { header, payload }: Opened): Judgement {
  if (header.format !== judged.format) {
    const facts = { cause: CheckpointFormat_Cause.UNRECOGNISED, format: judged.format, candidates: [header.format] };
    return { verdict: refuse("checkpointFormat", facts), reading: undefined, opened: undefined };
  }
  const content: Document["content"] =
    header.payload.kind === "text"
      ? { case: "text", value: Buffer.from(payload).toString("utf8") }
      : { case: "binary", value: payload };
  const bare = judgeBare({ ...judged, content, claimedProof: judged.claimedProof ?? header.claimedProof });
  return { ...bare, opened: payload };
}

function judgeBare({ format, content, claimedProof, listed, published }: Judged): Judgement {
  const reading = readDocument(format, content, listed);
  switch (reading.kind) {
    case "refusal":
      return { verdict: reading, reading: undefined, opened: undefined };
    case "opaque":
      return { verdict: declared(claimedProof, published), reading: undefined, opened: undefined };
    case "entries":
      return { verdict: scan(reading, published), reading, opened: undefined };
  }
}

/** A format without an adapter: the host's word for its boundary, worth what the operator published. */
function declared(proof: string | undefined, published: ReadonlySet<string>): Verdict {
  if (proof === undefined || !published.has(proof)) {
    return { kind: "midFrame", unsafe: { cause: UnsafeBoundary_Cause.NO_TESTED_BOUNDARY }, lastSafe: undefined };
  }
  return { kind: "boundary", boundary: create(BoundarySchema, { kind: BoundaryKind.DECLARED, proof, entries: 0 }) };
}
