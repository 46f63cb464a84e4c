import { Metadata, type StatusObject } from "@grpc/grpc-js";
import type { Status } from "../status.ts";

/** A status in grpc-js's form. Sent before any message it travels as Trailers-Only, which retry policies need. */
export function toGrpcStatus(status: Status): StatusObject {
  const metadata = new Metadata();
  if (status.details.length > 0) metadata.set("grpc-status-details-bin", Buffer.from(status.bytes));
  if (status.pushbackMs !== undefined) metadata.set("grpc-retry-pushback-ms", String(status.pushbackMs));
  return { code: status.code, details: status.message, metadata };
}
