import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, fromBinary, type JsonObject, toJson } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Facts, type LeafCase, type Refusal, refuse } from "../../src/domain/outcome.ts";
import { type LeafDescription, leaves } from "../../src/domain/refusal-rule.ts";
import { RefusalSchema } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import { toStatus } from "../../src/transport/status.ts";
import { goldenFacts } from "./facts.ts";

/** Where the accepted statuses stand. */
export const goldenFile = fileURLToPath(new URL("statuses.json", import.meta.url));

/** One accepted status: its bytes, and what every reader has to find in them. */
export interface GoldenStatus {
  readonly leaf: string;
  /** Without prefix; empty for a leaf that has none. */
  readonly cause: string;
  readonly variant: Variant;
  readonly code: number;
  readonly text: string;
  readonly remedy: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The Refusal of the details in proto JSON, as it is sent. */
  readonly facts: JsonObject;
  /** The message names of the details, in order. */
  readonly details: readonly string[];
  /** google.rpc.Status, padded. */
  readonly detailsBase64: string;
}

type Variant = "plain" | "worst";

/** The accepted statuses, in the order in which they were accepted. */
export function acceptedStatuses(): readonly GoldenStatus[] {
  return JSON.parse(readFileSync(goldenFile, "utf8")) as GoldenStatus[]; // only tools/golden.ts writes it
}

/** What the code makes today of each leaf, cause and variant. */
export function currentStatuses(): readonly GoldenStatus[] {
  return refusals().map(({ refusal, ...entry }) => ({ ...entry, ...readStatus(toStatus(refusal).bytes) }));
}

/** What a server has to refuse with, by the name of the golden status that comes of it. */
export function goldenRefusals(): ReadonlyMap<string, Refusal> {
  return new Map(refusals().map((entry) => [nameOf(entry), entry.refusal]));
}

/** How an entry is called in messages and test names. */
export function nameOf({ leaf, cause, variant }: Pick<GoldenStatus, "leaf" | "cause" | "variant">): string {
  return cause === "" ? `${leaf} ${variant}` : `${leaf}/${cause} ${variant}`;
}

interface NamedRefusal extends Pick<GoldenStatus, "leaf" | "cause" | "variant"> {
  readonly refusal: Refusal;
}

function refusals(): readonly NamedRefusal[] {
  return leaves.flatMap((leaf) => causesOf(leaf).flatMap((cause) => refusalsOf(leaf, cause)));
}

interface Cause {
  readonly number: number;
  readonly name: string;
}

function causesOf({ cause }: LeafDescription): readonly Cause[] {
  if (cause === undefined) return [{ number: 0, name: "" }];
  const prefix = cause.enum.sharedPrefix ?? "";
  return cause.enum.values
    .filter(({ number }) => number !== 0)
    .map(({ number, name }) => ({ number, name: name.slice(prefix.length) }));
}

function refusalsOf(leaf: LeafDescription, cause: Cause): readonly NamedRefusal[] {
  // The compiler cannot relate the leaf's case to the type of its cause and facts.
  const factsOf = goldenFacts[leaf.leafCase] as (cause: number) => Record<Variant, Facts<LeafCase>>;
  const facts = factsOf(cause.number);
  return (["plain", "worst"] as const).map((variant) => ({
    leaf: leaf.reason,
    cause: cause.name,
    variant,
    refusal: refuse(leaf.leafCase, facts[variant]),
  }));
}

/** What TypeScript reads from the bytes of a status. */
export function readStatus(bytes: Uint8Array): Omit<GoldenStatus, "leaf" | "cause" | "variant"> {
  const status = fromBinary(StatusSchema, bytes);
  const [first, second] = status.details;
  const info = (first && anyUnpack(first, ErrorInfoSchema)) ?? create(ErrorInfoSchema);
  const refusal = (second && anyUnpack(second, RefusalSchema)) ?? create(RefusalSchema);
  return {
    code: status.code,
    text: status.message,
    remedy: info.metadata["remedy"] ?? "",
    metadata: info.metadata,
    facts: toJson(RefusalSchema, refusal) as JsonObject, // a message that is no well-known type is an object in JSON
    details: status.details.map(({ typeUrl }) => typeUrl.replace("type.googleapis.com/", "")),
    detailsBase64: Buffer.from(bytes).toString("base64"),
  };
}
