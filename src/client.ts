import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { type Refusal, RefusalSchema } from "./gen/fermata/refusal/v1/refusal_pb.ts";
import { StatusSchema } from "./gen/google/rpc/status_pb.ts";

/** A connection to a sidecar. Whoever opens it closes it. */
export interface SidecarClient {
  /** One request, one answer. Never rejects for what the sidecar says: an ending is an answer. */
  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ): Promise<Answer<MessageShape<O>>>;
  /** One request, many answers; the last one is the ending, unless the stream ended well. Leaving the loop cancels the call. */
  serverStream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
  ): AsyncIterable<Answer<MessageShape<O>>>;
  close(): void;
}

/** What a call came to. */
export type Answer<T> = { readonly kind: "ok"; readonly value: T } | Ending;

/** How a call ended that did not end well. */
export interface Ending {
  readonly kind: "ended";
  /** The gRPC code. */
  readonly code: number;
  readonly text: string;
  /** Undefined for what a library says by itself: nobody listens, an unknown method, a deadline here. */
  readonly refusal: Refusal | undefined;
}

/** Opens a connection to `host:port` or `unix:/path`. The first call makes it; `timeout` is each call's deadline in milliseconds, `token` what each brings along. */
export function connect(target: string, timeout: number, token?: string): SidecarClient {
  // A proxy variable of the shell must not reach a sidecar on this machine; documents may be larger than the library's 4 MiB.
  const options = { "grpc.enable_http_proxy": 0, "grpc.max_receive_message_length": -1 };
  const metadata = new Metadata();
  if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
  const channel: Channel = { client: new Client(target, credentials.createInsecure(), options), timeout, metadata };
  return {
    unary: (method, request) => unary(channel, method, request),
    serverStream: (method, request) => serverStream(channel, method, request),
    close: () => channel.client.close(),
  };
}

interface Channel {
  readonly client: Client;
  readonly timeout: number;
  readonly metadata: Metadata;
}

function unary<I extends DescMessage, O extends DescMessage>(
  { client, timeout, metadata }: Channel,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): Promise<Answer<MessageShape<O>>> {
  const message = create(method.input, request);
  const options = { deadline: Date.now() + timeout };
  return new Promise((answer) => {
    const done = (error: ServiceError | null, value?: MessageShape<O>): void =>
      answer(value === undefined ? toEnding(error) : { kind: "ok", value });
    client.makeUnaryRequest(pathOf(method), writer(method), reader(method), message, metadata, options, done);
  });
}

async function* serverStream<I extends DescMessage, O extends DescMessage>(
  { client, timeout, metadata }: Channel,
  method: DescMethodServerStreaming<I, O>,
  request: MessageInitShape<I>,
): AsyncGenerator<Answer<MessageShape<O>>> {
  const message = create(method.input, request);
  const options = { deadline: Date.now() + timeout };
  const call = client.makeServerStreamRequest(
    pathOf(method),
    writer(method),
    reader(method),
    message,
    metadata,
    options,
  );
  try {
    for await (const value of call) yield { kind: "ok", value };
  } catch (thrown) {
    if (!isServiceError(thrown)) throw thrown;
    yield toEnding(thrown);
  } finally {
    call.cancel();
  }
}

function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

function writer<I extends DescMessage>({ input }: { readonly input: I }): (message: MessageShape<I>) => Buffer {
  return (message) => Buffer.from(toBinary(input, message));
}

function reader<O extends DescMessage>({ output }: { readonly output: O }): (bytes: Buffer) => MessageShape<O> {
  return (bytes) => fromBinary(output, bytes);
}

function toEnding(error: ServiceError | null): Ending {
  if (error === null)
    return { kind: "ended", code: status.INTERNAL, text: "an answer without a message", refusal: undefined };
  return {
    kind: "ended",
    code: error.code,
    text: error.details.replace(/\.? *Resolution note: *$/, ""),
    refusal: refusalOf(error),
  };
}

function refusalOf({ metadata }: ServiceError): Refusal | undefined {
  const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
  if (!(bytes instanceof Uint8Array)) return undefined;
  const { details } = fromBinary(StatusSchema, bytes);
  return details.map((detail) => anyUnpack(detail, RefusalSchema)).find((refusal) => refusal !== undefined);
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && "code" in thrown && "details" in thrown;
}
