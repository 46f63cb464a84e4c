import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type DescMessage, type DescService, type Message, toBinary } from "@bufbuild/protobuf";
import { type ConnectRouter, createContextKey, createContextValues, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { Calls } from "../call.ts";
import type { Caller } from "../call-span.ts";
import type { Exchange } from "../exchange.ts";
import type { Reflection } from "../reflection.ts";
import { type Encode, StreamEnd } from "../reply.ts";
import type { Route, StreamRoute, UnaryRoute } from "../route.ts";
import { toConnectError } from "./send-status.ts";

/** A request handler of Node's HTTP servers, for HTTP/1.1 and for HTTP/2's compatible interface. */
export type HttpHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** What the Connect server is made of. */
export interface ConnectServerParts {
  readonly routes: readonly Route[];
  readonly calls: Calls;
  /** Whether its callers are operators by the listeners that they come by. */
  readonly operator?: boolean;
  readonly reflection: Reflection | undefined;
  readonly messageBytes: number;
  /** The exchange that a request belongs to. */
  readonly exchangeOf: (request: IncomingMessage | Http2ServerRequest) => Exchange | undefined;
}

/** Answers the routes by Connect and gRPC-Web. A method of a known service without a route is UNIMPLEMENTED. */
export function createConnectHandler(parts: ConnectServerParts): HttpHandler {
  const { routes, reflection, messageBytes, exchangeOf } = parts;
  const services = new Map<string, DescService>(routes.map(({ method }) => [method.parent.typeName, method.parent]));
  return connectNodeAdapter({
    grpc: false,
    readMaxBytes: messageBytes,
    writeMaxBytes: messageBytes,
    contextValues: (request) => createContextValues().set(exchangeKey, exchangeOf(request)),
    routes: (router: ConnectRouter) => {
      for (const service of services.values()) router.service(service, implementationOf(service, parts));
      if (reflection !== undefined) router.rpc(reflection.method, reflected(reflection));
    },
  });
}

const exchangeKey = createContextKey<Exchange | undefined>(undefined);

type Answering = Pick<ConnectServerParts, "calls" | "operator">;

function implementationOf(service: DescService, parts: ConnectServerParts): object {
  const own = parts.routes.filter(({ method }) => method.parent.typeName === service.typeName);
  return Object.fromEntries(
    own.map((route) => [
      route.method.localName,
      route.kind === "unary" ? unaryHandler(route, parts) : streamHandler(route, parts),
    ]),
  );
}

function unaryHandler(route: UnaryRoute, { calls, operator = false }: Answering) {
  const encode = proven(route.method.output);
  return async (request: Message, context: HandlerContext): Promise<Message> => {
    const reply = await calls.unary(route, request, { caller: callerOf(context, operator), encode });
    if (reply.kind === "status") throw toConnectError(reply.status);
    return reply.message;
  };
}

function streamHandler(route: StreamRoute, { calls, operator = false }: Answering) {
  const encode = proven(route.method.output);
  return async function* messages(request: Message, context: HandlerContext): AsyncGenerator<Message> {
    const reply = await calls.stream(route, request, { caller: callerOf(context, operator), encode });
    if (reply.kind === "status") throw toConnectError(reply.status);
    try {
      yield* reply.messages;
    } catch (thrown) {
      throw thrown instanceof StreamEnd ? toConnectError(thrown.status) : thrown;
    }
  };
}

/**
 * connect-es writes an answer after its handler, where a fault would end the call without our leaf; so it is written once before. A document
 * is left out: it is text or bytes that the store gave, and to write it twice would cost more than all else.
 */
function proven(schema: DescMessage): Encode<Message> {
  return (message) => {
    const withoutDocument: Message = { ...message, ...("document" in message ? { document: undefined } : {}) };
    toBinary(schema, withoutDocument);
    return message;
  };
}

/** `buf curl` asks reflection in the protocol that it is to call by, so gRPC's own is not enough. */
function reflected({ answer }: Reflection) {
  return async function* answers(requests: AsyncIterable<Message>): AsyncGenerator<Message> {
    for await (const request of requests) yield answer(request);
  };
}

function callerOf(context: HandlerContext, operator: boolean): Caller {
  const timeout = context.timeoutMs();
  return {
    deadline: timeout === undefined ? undefined : Date.now() + timeout,
    traceparent: context.requestHeader.get("traceparent") ?? undefined,
    onGone: (gone) => context.signal.addEventListener("abort", gone, { once: true }),
    operator,
    authorization: () => context.requestHeader.get("authorization") ?? undefined,
    protocol: context.protocolName === "grpc-web" ? "grpc-web" : "connect",
    exchange: context.values.get(exchangeKey),
    json: /json/i.test(context.requestHeader.get("content-type") ?? ""),
  };
}
