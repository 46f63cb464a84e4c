import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { MethodDefinition } from "@grpc/grpc-js";
import { requestDecoder } from "./request-decoder.ts";

/** What grpc-js needs to know of a method, made from its descriptor. */
export function definitionOf(method: DescMethod): MethodDefinition<Incoming, Buffer> {
  const decode = requestDecoder(method.input);
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    requestDeserialize: (bytes) => new Incoming(decode(bytes)),
    responseSerialize: (bytes) => bytes, // The wrapper of calls has encoded it.
    // The client's halves, which grpc-js asks for and a server never calls.
    requestSerialize: () => Buffer.alloc(0),
    responseDeserialize: (bytes) => bytes,
  };
}

/**
 * A request on its way to its handler, which takes it out. grpc-js keeps what it decoded as long as Node keeps the HTTP/2 stream, which is
 * until a full collection: 50 tools a call then outlive every scavenge (half of a Resolve's CPU was spent on moving them).
 */
export class Incoming {
  private message: Message | undefined;

  constructor(message: Message) {
    this.message = message;
  }

  take(): Message {
    const { message } = this;
    if (message === undefined) throw new Error("a request is taken once");
    this.message = undefined;
    return message;
  }
}
