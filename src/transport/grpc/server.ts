import type { Socket } from "node:net";
import {
  logVerbosity,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Calls } from "../call.ts";
import type { Caller } from "../call-span.ts";
import { deadlineHeader } from "../deadline-header.ts";
import type { Exchange } from "../exchange.ts";
import { exchangeHeader } from "../exchanges.ts";
import type { Reflection } from "../reflection.ts";
import { StreamEnd } from "../reply.ts";
import { pathOf, type Route, type StreamRoute, type UnaryRoute } from "../route.ts";
import { definitionOf, type Incoming } from "./definitions.ts";
import { responseEncoder } from "./response-encoder.ts";
import { toGrpcStatus } from "./send-status.ts";
import { type StreamSplit, splitStreams } from "./stream-split.ts";

/** The gRPC server behind the listeners: it owns HTTP/2 connections, and hands on the streams that are not gRPC. */
export interface GrpcServer {
  inject(socket: Socket): void;
  /** Says GOAWAY on every connection; resolves when their streams have ended. */
  drain(): Promise<void>;
  destroy(): void;
}

/** What the gRPC server is made of. */
export interface GrpcServerParts {
  readonly routes: readonly Route[];
  readonly calls: Calls;
  /** Whether its callers are operators by the listeners that they come by. */
  readonly operator?: boolean;
  readonly reflection: Reflection | undefined;
  readonly split: StreamSplit;
  /** The exchange of the id that `split` gave a call; absent where no documents go. */
  readonly exchangeOf?: (id: string) => Exchange | undefined;
  readonly messageBytes: number;
  readonly streamsPerConnection: number;
  /** Milliseconds. Nothing else ends a connection whose client stopped in the middle of a header block: such a client answers no PING either. */
  readonly headersTimeout: number;
}

/** Makes grpc-js answer the routes. It binds no port: connections are injected by the listeners. */
export function createGrpcServer(parts: GrpcServerParts): GrpcServer {
  setLogVerbosity(logVerbosity.NONE); // it writes headers that it cannot read to stderr, with what they hold
  const server = new Server({
    "grpc.enable_channelz": 0,
    "grpc.max_receive_message_length": parts.messageBytes,
    "grpc.max_send_message_length": parts.messageBytes,
    "grpc.max_concurrent_streams": parts.streamsPerConnection,
    "grpc.keepalive_time_ms": parts.headersTimeout,
    "grpc.keepalive_timeout_ms": parts.headersTimeout,
  });
  splitStreams(server, parts.split);
  for (const route of parts.routes) register(server, route, parts);
  if (parts.reflection !== undefined) registerReflection(server, parts.reflection);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return {
    inject: (socket) => injector.injectConnection(socket),
    drain: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
    destroy: () => server.forceShutdown(),
  };
}

type Answering = Pick<GrpcServerParts, "calls" | "operator" | "exchangeOf">;

function register(server: Server, route: Route, parts: Answering): void {
  const path = pathOf(route.method);
  const handler = route.kind === "unary" ? unaryHandler(route, parts) : streamHandler(route, parts);
  const implementation: UntypedServiceImplementation = { [path]: handler };
  server.addService({ [path]: definitionOf(route.method) }, implementation);
}

type AnyUnary = ServerUnaryCall<Incoming, Buffer>;
type AnyStream = ServerWritableStream<Incoming, Buffer>;

function unaryHandler(route: UnaryRoute, parts: Answering) {
  const encode = responseEncoder(route.method.output);
  return (call: AnyUnary, respond: sendUnaryData<Buffer>): void => {
    const reply = parts.calls.unary(route, call.request.take(), { caller: callerOf(call, parts), encode });
    if (reply instanceof Promise) void reply.then((later) => send(later));
    else send(reply);

    function send(ended: Awaited<typeof reply>): void {
      if (ended.kind === "message") respond(null, ended.message);
      else respond(toGrpcStatus(ended.status));
    }
  };
}

function streamHandler(route: StreamRoute, parts: Answering) {
  const encode = responseEncoder(route.method.output);
  return async (call: AnyStream): Promise<void> => {
    const reply = await parts.calls.stream(route, call.request.take(), { caller: callerOf(call, parts), encode });
    if (reply.kind === "status") {
      call.emit("error", toGrpcStatus(reply.status));
      return;
    }
    try {
      for await (const message of reply.messages) await written(call, message);
      call.end();
    } catch (thrown) {
      if (thrown instanceof StreamEnd) call.emit("error", toGrpcStatus(thrown.status));
    }
  };
}

/** Resolves when the message has gone to the connection, so that a slow reader holds the handler back; rejects if the client is gone. */
function written(call: AnyStream, message: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (call.cancelled) {
      reject(new Error("the client is gone"));
      return;
    }
    const gone = () => reject(new Error("the client is gone"));
    call.once("cancelled", gone);
    call.write(message, (fault: Error | null | undefined) => {
      call.off("cancelled", gone);
      if (fault) reject(fault);
      else resolve();
    });
  });
}

function callerOf(call: AnyUnary | AnyStream, { operator = false, exchangeOf }: Answering): Caller {
  const exchange = call.metadata.get(exchangeHeader)[0];
  const deadline = call.metadata.get(deadlineHeader)[0];
  const traceparent = call.metadata.get("traceparent")[0];
  return {
    deadline: deadline === undefined ? undefined : Number(deadline),
    traceparent: traceparent === undefined ? undefined : String(traceparent),
    onGone: (gone) => call.once("cancelled", gone),
    protocol: "grpc",
    operator,
    exchange: exchange === undefined ? undefined : exchangeOf?.(String(exchange)),
    json: false,
    authorization: () => call.metadata.get("authorization")[0]?.toString(),
  };
}

function registerReflection(server: Server, reflection: Reflection): void {
  const path = `/${reflection.method.parent.typeName}/${reflection.method.name}`;
  const encode = responseEncoder(reflection.method.output);
  const handler = (call: ServerDuplexStream<Incoming, Buffer>): void => {
    call.on("data", (request: Incoming) => call.write(encode(reflection.answer(request.take()))));
    call.on("end", () => call.end());
    call.on("error", () => undefined); // the client went away
  };
  server.addService({ [path]: definitionOf(reflection.method) }, { [path]: handler });
}
