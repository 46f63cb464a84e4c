import {
  create,
  createRegistry,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { type CallOptions, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { RefusalSchema } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { SkillService } from "../../src/gen/fermata/skill/v1/skill_service_pb.ts";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  HelpSchema,
  RetryInfoSchema,
} from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";

/** What a client saw of one call. `messages` is one answer of a unary call, all answers of a stream. */
export type Answer =
  | { readonly kind: "ok"; readonly messages: readonly JsonValue[] }
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly text: string;
      readonly status: Uint8Array;
      readonly headerBytes: number;
      readonly before: number;
    };

/** A client of one wire protocol. Requests and answers are the JSON form of the messages. */
export interface WireCaller {
  readonly name: string;
  call(method: DescMethod, request: JsonValue): Promise<Answer>;
  close(): void;
}

const services: readonly DescService[] = [PaletteService, ConversationService, SkillService];

/** Types that the details of a status may have. */
export const detailTypes = createRegistry(
  ErrorInfoSchema,
  RefusalSchema,
  BadRequestSchema,
  RetryInfoSchema,
  HelpSchema,
  StatusSchema,
);

/** The method that a scenario names: `fermata.palette.v1.PaletteService/Resolve`. */
export function methodOf(rpc: string): DescMethod {
  const [service, name] = rpc.split("/");
  const method = services
    .find(({ typeName }) => typeName === service)
    ?.methods.find((candidate) => candidate.name === name);
  if (method === undefined) throw new Error(`no method ${rpc}`);
  return method;
}

/** One client per wire protocol, all of the same address (`127.0.0.1:port`). */
export function wireCallers(address: string): readonly WireCaller[] {
  const baseUrl = `http://${address}`;
  return [
    grpcCaller(address),
    connectCaller("gRPC-Web", createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })),
    connectCaller("Connect JSON", createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false })),
    connectCaller("Connect binary", createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true })),
  ];
}

/** The gRPC client of grpc-js, without our own code on the way. */
export function grpcCaller(address: string): WireCaller {
  const client = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  return {
    name: "gRPC",
    call: (method, request) => grpcCall(client, method, fromJson(method.input, request)),
    close: () => client.close(),
  };
}

function grpcCall(client: Client, method: DescMethod, request: Message): Promise<Answer> {
  const path = `/${method.parent.typeName}/${method.name}`;
  const serialize = (message: Message) => Buffer.from(toBinary(method.input, message));
  const deserialize = (bytes: Buffer) => fromBinary(method.output, bytes);
  return new Promise((resolve) => {
    const messages: JsonValue[] = [];
    const call = client.makeServerStreamRequest(path, serialize, deserialize, request, new Metadata());
    call.on("data", (message: Message) => messages.push(toJson(method.output, message)));
    call.on("end", () => undefined);
    call.on("error", (fault: ServiceError) => resolve(refusedByGrpc(fault, messages.length)));
    call.on("status", ({ code }) => code === 0 && resolve({ kind: "ok", messages }));
  });
}

function refusedByGrpc({ code, details, metadata }: ServiceError, before: number): Answer {
  const status = metadata.get("grpc-status-details-bin")[0];
  const fields: [string, string][] = [
    [":status", "200"],
    ["content-type", "application/grpc+proto"],
    ["grpc-status", String(code)],
    ["grpc-message", encodeURIComponent(details)],
  ];
  for (const [name, value] of Object.entries(metadata.toHttp2Headers())) fields.push([name, String(value)]);
  const headerBytes = fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
  return {
    kind: "refused",
    code,
    text: details,
    status: Buffer.isBuffer(status) ? status : Buffer.alloc(0),
    headerBytes,
    before,
  };
}

function connectCaller(name: string, transport: Transport): WireCaller {
  return {
    name,
    call: async (method, request) => {
      const message = fromJson(method.input, request);
      const messages: JsonValue[] = [];
      const options: CallOptions = {};
      try {
        if (method.methodKind === "unary") {
          const answer = await transport.unary(
            method as DescMethodUnary,
            undefined,
            undefined,
            undefined,
            message as never,
          );
          messages.push(toJson(method.output, answer.message as Message));
        } else {
          const client = createClient(method.parent, transport) as unknown as Record<
            string,
            (request: Message, options: CallOptions) => AsyncIterable<Message>
          >;
          const open = client[method.localName];
          if (open === undefined) throw new Error(`no method ${method.localName}`);
          for await (const answer of open(message, options)) messages.push(toJson(method.output, answer));
        }
        return { kind: "ok", messages };
      } catch (thrown) {
        if (!(thrown instanceof ConnectError)) throw thrown;
        return refusedByConnect(thrown, messages.length);
      }
    },
    close: () => undefined,
  };
}

function refusedByConnect(fault: ConnectError, before: number): Answer {
  const details = fault.details.map((detail) => {
    if (!("type" in detail)) throw new Error("a detail that did not come over the wire");
    return { typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value };
  });
  const status = toBinary(StatusSchema, create(StatusSchema, { code: fault.code, message: fault.rawMessage, details }));
  return { kind: "refused", code: fault.code, text: fault.rawMessage, status, headerBytes: 0, before };
}
