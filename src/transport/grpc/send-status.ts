import type { ServerHttp2Stream } from "node:http2";
import { Metadata, type StatusObject } from "@grpc/grpc-js";
import type { Status } from "../status.ts";

/** A status in grpc-js's form. Sent before any message it travels as Trailers-Only, which retry policies need. */
export function toGrpcStatus(status: Status): StatusObject {
  const metadata = new Metadata();
  if (status.details.length > 0) metadata.set("grpc-status-details-bin", Buffer.from(status.bytes));
  if (status.pushbackMs !== undefined) metadata.set("grpc-retry-pushback-ms", String(status.pushbackMs));
  return { code: status.code, details: status.message, metadata };
}

/** The same for a stream that grpc-js has not answered and will not: Trailers-Only, as it would send it. */
export function respondStatus(stream: ServerHttp2Stream, status: Status): void {
  const { code, details, metadata } = toGrpcStatus(status);
  const headers = {
    ":status": 200,
    "content-type": "application/grpc+proto",
    "grpc-status": code,
    "grpc-message": encodeURI(details),
    ...metadata?.toHttp2Headers(),
  };
  stream.respond(headers, { endStream: true });
}
