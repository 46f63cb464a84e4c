import { create, toBinary } from "@bufbuild/protobuf";
import { type Any, anyPack, type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import type { Leaf, Refusal } from "../domain/outcome.ts";
import { type LeafRule, ruleFor } from "../domain/refusal-rule.ts";
import { type InvalidRequest, RefusalSchema } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { BadRequestSchema, ErrorInfoSchema, HelpSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../gen/google/rpc/status_pb.ts";
import { errorMetadata } from "./error-metadata.ts";
import { boundedLeaf } from "./facts.ts";
import { refusalText } from "./refusal-text.ts";

/** The domain of every ErrorInfo that Fermata sends. */
const domain = "fermata";

/** What the whole header list of a status may take (refusals.md, Size), and what of it is neither text nor details. */
const maxHeaderList = 4096;
const otherHeaders = 400;

/** How many bytes of names a leaf shows: the largest of these with which the header list fits. The first does for all ordinary facts. */
const nameRooms = [1024, 512, 0];

/** An ending other than OK as it travels: both servers send exactly this. */
export interface Status {
  readonly code: number;
  readonly message: string;
  /** google.rpc.Status, the value of grpc-status-details-bin before base64. */
  readonly bytes: Uint8Array;
  /** The details of `bytes`, in order. */
  readonly details: readonly Any[];
  /** OVERLOADED: how long a client's retry policy should wait (grpc-retry-pushback-ms). */
  readonly pushbackMs: number | undefined;
  /** For the log line. */
  readonly reason: string;
}

/**
 * The one place where a refusal becomes a status. Code, text and metadata come from the taxonomy's rule and the leaf's facts; the details are
 * ErrorInfo, the Refusal itself, and what the leaf calls for (refusals.md, The status).
 */
export function toStatus(refusal: Refusal): Status {
  const rule = ruleFor(refusal.leaf);
  for (const room of nameRooms) {
    const status = statusOf(boundedLeaf(refusal.leaf, room), rule);
    if (headerListBytes(status) <= maxHeaderList) return status;
  }
  throw new Error(`the status of ${rule.reason} is too large by itself`);
}

function statusOf(leaf: Leaf, rule: LeafRule): Status {
  const message = refusalText(leaf, rule);
  const details = detailsOf(leaf, rule);
  const bytes = toBinary(StatusSchema, create(StatusSchema, { code: rule.code, message, details }));
  return { code: rule.code, message, bytes, details, pushbackMs: pushbackOf(leaf), reason: rule.reason };
}

/** As HTTP/2 counts it, with details in base64 and the text percent-encoded. */
function headerListBytes({ message, bytes }: Status): number {
  return otherHeaders + encodeURIComponent(message).length + Math.ceil(bytes.length / 3) * 4;
}

function detailsOf(leaf: Leaf, rule: LeafRule): Any[] {
  const info = { reason: rule.reason, domain, metadata: errorMetadata(leaf, rule) };
  const details = [
    anyPack(ErrorInfoSchema, create(ErrorInfoSchema, info)),
    anyPack(RefusalSchema, create(RefusalSchema, { leaf, remedy: rule.remedy })),
  ];
  if (leaf.case === "invalidRequest") details.push(badRequest(leaf.value));
  if ("retryDelay" in leaf.value && leaf.value.retryDelay !== undefined) details.push(retryInfo(leaf.value.retryDelay));
  if ("supportRoute" in leaf.value && isUrl(leaf.value.supportRoute)) details.push(help(leaf.value.supportRoute));
  return details;
}

function badRequest({ violations }: InvalidRequest): Any {
  const fieldViolations = violations.map(({ field, rule, description }) => ({ field, reason: rule, description }));
  return anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations }));
}

function retryInfo(retryDelay: Duration): Any {
  return anyPack(RetryInfoSchema, create(RetryInfoSchema, { retryDelay }));
}

function help(url: string): Any {
  return anyPack(HelpSchema, create(HelpSchema, { links: [{ description: "support route", url }] }));
}

function isUrl(route: string): boolean {
  return /^(https?:\/\/|mailto:)\S+$/i.test(route);
}

function pushbackOf(leaf: Leaf): number | undefined {
  if (leaf.case !== "overloaded" || leaf.value.retryDelay === undefined) return undefined;
  return durationMs(leaf.value.retryDelay);
}
