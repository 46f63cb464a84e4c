import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { countStream } from "../body-count.ts";
import { takeDeadline } from "../deadline-header.ts";
import { exchangeHeader } from "../exchanges.ts";
import type { GuardedRequest } from "../guard.ts";
import type { Intake } from "../intake.ts";
import { respondStatus } from "./send-status.ts";
import type { StreamSplit } from "./stream-split.ts";

/** Takes gRPC's streams in for grpc-js; all others are for `elsewhere`, under the exchange that has begun for each. */
export function takeStreams({ guard, exchanges, calls, takesDocument }: Intake, elsewhere: OtherStream): StreamSplit {
  return (stream, headers) => {
    const id = exchanges.beginStream(stream);
    if (!isGrpc(headers)) {
      elsewhere(stream, headers);
      return false;
    }
    const rejection = guard(requestOf(headers));
    if (rejection !== undefined) {
      stream.respond({ ":status": rejection.status, "content-type": "text/plain" });
      stream.end(rejection.reason);
      return false;
    }
    takeDeadline(headers);
    headers[exchangeHeader] = id;
    const share = takesDocument(String(headers[":path"])) ? exchanges.byId(id)?.share : undefined;
    if (share !== undefined) countStream(stream, share, () => turnAway(stream, headers, calls));
    return true;
  };
}

/** Who takes a stream of HTTP/2 that is not gRPC. */
export type OtherStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** `application/grpc` and `application/grpc+proto`; not `application/grpc-web`, which grpc-js would take for its own. */
function isGrpc(headers: IncomingHttpHeaders): boolean {
  const type = headers["content-type"];
  return typeof type === "string" && /^application\/grpc(?:$|[+;])/i.test(type);
}

function requestOf(headers: IncomingHttpHeaders): GuardedRequest {
  const authority = headers[":authority"];
  const isSocket = typeof authority === "string" && socketAuthority.test(authority);
  const named = isSocket ? { ...headers, ":authority": "localhost" } : headers;
  return { method: String(headers[":method"]), path: String(headers[":path"]), headers: named };
}

/** What grpcio sends over a Unix socket: the socket's path, percent-encoded. No name of DNS looks so, and only grpc-js is to read it. */
const socketAuthority = /^[\w.~%-]*%2F[\w.~%-]*$/i;

/** The status goes before the rest of the body has come, which nobody then sends any more. */
function turnAway(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, calls: Intake["calls"]): void {
  if (stream.destroyed || stream.headersSent) return;
  const { traceparent } = headers;
  const caller = {
    protocol: "grpc",
    traceparent: traceparent === undefined ? undefined : String(traceparent),
  } as const;
  respondStatus(stream, calls.turnAway(String(headers[":path"]), caller));
  stream.close(constants.NGHTTP2_NO_ERROR);
}
