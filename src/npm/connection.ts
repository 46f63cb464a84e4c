import { connect as connectSocket } from "node:net";
import type { Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";

/** The protocol that a client speaks; a sidecar serves both at one address. */
export type Protocol = "grpc" | "connect";

/** A transport, and what ends its connection. */
export interface Connection {
  readonly transport: Transport;
  readonly close: () => void;
}

/** What the largest document needs that a sidecar can be configured for (32 MiB): as base64, with room for the rest of a message. */
const messageBytes = 45 * 1024 * 1024;

/**
 * A connection to `127.0.0.1:50551` or `unix:/run/fermata/data.sock`. The first call makes it, and a call after a break makes it anew. It never
 * goes through a proxy: a sidecar is on this machine.
 */
export function openConnection(target: string, protocol: Protocol): Connection {
  const path = socketPath(target);
  const baseUrl = `http://${path === undefined ? target : "localhost"}`;
  const sessionManager = new Http2SessionManager(
    baseUrl,
    { connectTimeoutMs: 1_000, pingIntervalMs: 30_000, pingTimeoutMs: 5_000 },
    path === undefined ? {} : { createConnection: () => connectSocket(path) },
  );
  const options = { baseUrl, sessionManager, readMaxBytes: messageBytes, writeMaxBytes: messageBytes };
  const transport =
    protocol === "grpc" ? createGrpcTransport(options) : createConnectTransport({ ...options, httpVersion: "2" });
  return { transport, close: () => sessionManager.abort() };
}

/** `unix:/path` and `unix:///path` are the same. */
function socketPath(target: string): string | undefined {
  return /^unix:(?:\/\/)?(\/.*)$/.exec(target)?.[1];
}
