import { createServer as createHttp2Server } from "node:http2";
import type { Calls } from "./call.ts";
import { takeRequests } from "./connect/intake.ts";
import { createConnectHandler } from "./connect/server.ts";
import { Exchanges } from "./exchanges.ts";
import { takeStreams } from "./grpc/intake.ts";
import { createGrpcServer } from "./grpc/server.ts";
import type { Guard } from "./guard.ts";
import { type Listener, type ListenerLimits, listen } from "./listener.ts";
import { RapidReset } from "./rapid-reset.ts";
import type { Reflection } from "./reflection.ts";
import { pathOf, type Route, takesDocument } from "./route.ts";

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
export function createServer({ routes, calls, guard, reflection, limits, operator = false }: ServerParts): Server {
  const { messageBytes, streamsPerConnection, headersTimeout } = limits;
  const exchanges = new Exchanges(calls.room, limits.bodyTimeout);
  const documents = new Set(routes.filter(takesDocument).map(({ method }) => pathOf(method)));
  const intake = { guard, exchanges, calls, takesDocument: (path: string) => documents.has(path) };
  const answering = { routes, calls, operator, reflection, messageBytes };
  const connect = createConnectHandler({ ...answering, exchangeOf: (request) => exchanges.ofRequest(request) });
  const http1 = takeRequests(intake, connect);
  const compatible = createHttp2Server({}, http1); // never listens: it lends HTTP/2's compatible interface to connect-node
  const resets = new RapidReset(limits.resetsPer10s);
  const taken = takeStreams(intake, (stream, headers) => compatible.emit("stream", stream, headers, 0, []));
  const grpc = createGrpcServer({
    ...answering,
    streamsPerConnection,
    headersTimeout,
    exchangeOf: (id) => exchanges.byId(id),
    split: (stream, headers) => {
      if (stream.destroyed) return false; // reset in the packet that brought it
      resets.add(stream);
      return taken(stream, headers);
    },
  });
  const listeners: Listener[] = [];
  return {
    listen: async (address) => {
      const listener = await listen(address, { http2: grpc.inject, http1 }, limits);
      listeners.push(listener);
      return listener;
    },
    drain: async () => {
      await Promise.all([grpc.drain(), ...listeners.map((listener) => listener.close())]);
      exchanges.stop();
    },
    destroy: () => {
      grpc.destroy();
      for (const listener of listeners) listener.destroy();
    },
  };
}
