import { createServer as createHttp2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { Calls } from "./call.ts";
import { createConnectHandler, type HttpHandler } from "./connect/server.ts";
import { shortenTimeout, takeDeadline } from "./deadline-header.ts";
import { createGrpcServer } from "./grpc/server.ts";
import type { Guard, GuardedRequest, Rejection } from "./guard.ts";
import { type Listener, type ListenerLimits, listen } from "./listener.ts";
import type { Reflection } from "./reflection.ts";
import type { Route } from "./route.ts";
import { StreamWatch } from "./stream-watch.ts";

/** What a server is made of: who answers, who guards, and its limits (bytes, milliseconds, counts). */
export interface ServerParts {
  readonly routes: readonly Route[];
  readonly calls: Calls;
  /** Whether only operators reach its addresses. Default: everybody does. */
  readonly operator?: boolean;
  readonly guard: Guard;
  readonly reflection: Reflection | undefined;
  readonly limits: ServerLimits;
}

/** Limits of a server. */
export interface ServerLimits extends ListenerLimits {
  readonly messageBytes: number;
  readonly streamsPerConnection: number;
  readonly resetsPer10s: number;
}

/** gRPC, gRPC-Web and Connect on each of its addresses. */
export interface Server {
  /** Binds one more address; throws ListenFault. */
  listen(address: string): Promise<Listener>;
  /** Takes no new connections, says GOAWAY, and resolves when the calls in flight have ended. */
  drain(): Promise<void>;
  /** Destroys what is left. */
  destroy(): void;
}

/**
 * One address, two servers: grpc-js owns the HTTP/2 connections and answers gRPC; every other stream, and HTTP/1.1, goes to connect-node.
 * Both run the same routes by the same wrapper. The guard stands before both, and nothing thrown here ends the process.
 */
export function createServer(parts: ServerParts): Server {
  const { routes, calls, guard, reflection, limits, operator = false } = parts;
  const { messageBytes, streamsPerConnection, headersTimeout } = limits;
  const connectHandler = guarded(guard, createConnectHandler({ routes, calls, operator, reflection, messageBytes }));
  const compatible = createHttp2Server({}, connectHandler); // never listens: it lends HTTP/2's compatible interface to connect-node
  const watch = new StreamWatch(limits);
  const split = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean => {
    if (stream.destroyed) return false; // reset in the packet that brought it
    watch.add(stream);
    if (!isGrpc(headers)) {
      compatible.emit("stream", stream, headers, 0, []);
      return false;
    }
    const rejection = guard(requestOf(headers));
    if (rejection !== undefined) {
      stream.respond({ ":status": rejection.status, "content-type": "text/plain" });
      stream.end(rejection.reason);
      return false;
    }
    takeDeadline(headers);
    return true;
  };
  const grpc = createGrpcServer({
    routes,
    calls,
    operator,
    reflection,
    split,
    messageBytes,
    streamsPerConnection,
    headersTimeout,
  });
  const listeners: Listener[] = [];
  return {
    listen: async (address) => {
      const listener = await listen(address, { http2: grpc.inject, http1: connectHandler }, limits);
      listeners.push(listener);
      return listener;
    },
    drain: async () => {
      await Promise.all([grpc.drain(), ...listeners.map((listener) => listener.close())]);
      watch.stop();
    },
    destroy: () => {
      grpc.destroy();
      for (const listener of listeners) listener.destroy();
    },
  };
}

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

/** The handler behind the guard. Whatever is thrown here is thrown outside any promise: it becomes a 500, and the process goes on. */
function guarded(guard: Guard, handler: HttpHandler): HttpHandler {
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
      handler(request, response);
    } catch {
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  };
}
