import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import { countRequest } from "../body-count.ts";
import { shortenTimeout } from "../deadline-header.ts";
import type { Rejection } from "../guard.ts";
import type { Intake } from "../intake.ts";
import { toConnectError } from "./send-status.ts";
import type { HttpHandler } from "./server.ts";

/** Takes requests in for connect-node. Whatever is thrown here is thrown outside any promise: it becomes a 500, and the process goes on. */
export function takeRequests({ guard, exchanges, calls, takesDocument }: Intake, handler: HttpHandler): HttpHandler {
  return (request, response) => {
    const reject = ({ status, reason }: Rejection): void => {
      response.statusCode = status;
      response.setHeader("content-type", "text/plain");
      response.end(reason);
    };
    try {
      const rejection = guard({ method: request.method, path: request.url, headers: request.headers });
      if (rejection !== undefined) return reject(rejection);
      shortenTimeout(request.headers);
      exchanges.beginRequest(request, response);
      const share = takesDocument(String(request.url)) ? exchanges.ofRequest(request)?.share : undefined;
      const turnAway = () => toConnectError(calls.turnAway(String(request.url), callerOf(request.headers)));
      if (share !== undefined) countRequest(request, share, turnAway);
      tellResets(response);
      handler(request, response);
    } catch {
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  };
}

/** A write fails only when its reader has gone. connect-node is silent about one that was reset, and writes all others to stderr. */
function tellResets(response: ServerResponse | Http2ServerResponse): void {
  const write = response.write.bind(response) as Write;
  const toldSo: Write = (chunk, encoding, written) =>
    write(chunk, encoding, (fault) => written?.(fault ? Object.assign(fault, { code: "ECONNRESET" }) : fault));
  response.write = toldSo as typeof response.write; // The one form of it that connect-node calls.
}

type Write = (chunk: unknown, encoding: BufferEncoding, written?: (fault?: Error | null) => void) => boolean;

function callerOf({ "content-type": type, traceparent }: IncomingHttpHeaders) {
  const protocol = type?.startsWith("application/grpc-web") ? "grpc-web" : "connect";
  return { protocol, traceparent: traceparent === undefined ? undefined : String(traceparent) } as const;
}
