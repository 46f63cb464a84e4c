import { ConnectError } from "@connectrpc/connect";
import type { Status } from "../status.ts";

const typePrefix = "type.googleapis.com/";

/** A status in connect-es's form, for Connect and gRPC-Web. Its details stay the bytes that they are. */
export function toConnectError(status: Status): ConnectError {
  const headers = status.pushbackMs === undefined ? undefined : { "grpc-retry-pushback-ms": String(status.pushbackMs) };
  const fault = new ConnectError(status.message, status.code, headers);
  fault.details = status.details.map(({ typeUrl, value }) => ({ type: typeUrl.slice(typePrefix.length), value }));
  return fault;
}
