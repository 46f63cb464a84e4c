import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Server } from "@grpc/grpc-js";

/** Looks at one HTTP/2 stream before grpc-js does. True: it is gRPC, and grpc-js goes on with it. */
export type StreamSplit = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;

/**
 * Lets `split` see every stream of a grpc-js server first. A connection cannot be routed as a whole: `buf curl` asks reflection by gRPC and
 * then speaks Connect over the same connection. grpc-js has no public place for this; its `_verifyContentType` is called first for every
 * stream (1.14.7, which is why its version is exact), and a start fails at once when a version has it no more.
 */
export function splitStreams(server: Server, split: StreamSplit): void {
  const opened = server as unknown as { _verifyContentType: unknown }; // private, as said above
  if (typeof opened._verifyContentType !== "function") {
    throw new Error("this version of grpc-js has no _verifyContentType: streams cannot be split");
  }
  opened._verifyContentType = split;
}
