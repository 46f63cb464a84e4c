import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  Message,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Document } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { ServerStream, Unary } from "../rpc/rpc.ts";

/**
 * Which deadline and which cap a call has. `turn`: a turn of an agent waits for it, so it is short (`limits.resolveDeadline`). A `watch` ends
 * as soon as the sidecar stops; `probe` has no deadline, so that health is answered whatever the load.
 */
export type Pace = "turn" | "call" | "replay" | "watch" | "probe";

/** How much a call may answer: a whole document of the store's, which needs room before it is read, or little. */
export type Gives = "document" | "little";

/** One RPC with one answer, and who answers it. */
export interface UnaryRoute {
  readonly kind: "unary";
  readonly method: DescMethodUnary;
  readonly pace: Pace;
  readonly gives: Gives;
  /** An operator's call; absent for everybody's. */
  readonly operator?: boolean;
  /** How many bytes of documents a request brings along; they count against what is in flight. */
  readonly weigh: (request: Message) => number;
  readonly run: Unary<Message, Message>;
}

/** One RPC with many answers, and who answers it. */
export interface StreamRoute {
  readonly kind: "stream";
  readonly method: DescMethodServerStreaming;
  readonly pace: Pace;
  readonly gives: Gives;
  readonly operator?: boolean;
  readonly run: ServerStream<Message, Message>;
}

/** What both servers are built from; a method without a route answers UNIMPLEMENTED. */
export type Route = UnaryRoute | StreamRoute;

/** A route of a unary method; the types of request and answer are the method's. */
export function unary<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  run: Unary<MessageShape<I>, MessageShape<O>>,
  pace: Pace = "call",
): UnaryRoute {
  // The servers decode by the method's own schema, so what `run` is given is of its type.
  const untyped = run as unknown as Unary<Message, Message>;
  return { kind: "unary", method, pace, gives: "little", weigh: documentBytes, run: untyped };
}

/** A route of a server-streaming method; the types of request and answers are the method's. */
export function stream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  run: ServerStream<MessageShape<I>, MessageShape<O>>,
  pace: Pace = "replay",
): StreamRoute {
  // As above.
  return { kind: "stream", method, pace, gives: "little", run: run as unknown as ServerStream<Message, Message> };
}

/** Whether its requests bring a document. Every message that has one has it in a field of that name. */
export function takesDocument({ method }: Route): boolean {
  return method.input.fields.some(({ name }) => name === "document");
}

/** The bytes of the document of a message. */
export function documentBytes(message: object): number {
  if (!("document" in message)) return 0;
  const { content } = (message as { readonly document?: Document }).document ?? {};
  return content?.case === "text" ? Buffer.byteLength(content.value) : (content?.value?.length ?? 0);
}

/** The same route, of a call that reads a document from the store for its answer. */
export function givesDocument<R extends Route>(route: R): R {
  return { ...route, gives: "document" };
}

/** The same route for operators only, where operators are told from other callers. */
export function operators(route: Route): Route {
  return { ...route, operator: true };
}

/** The path of a method on the wire: `/fermata.palette.v1.PaletteService/Resolve`. */
export function pathOf(method: DescMethodUnary | DescMethodServerStreaming): string {
  return `/${method.parent.typeName}/${method.name}`;
}
