import {
  create,
  createRegistry,
  type DescExtension,
  type DescFile,
  type DescMethodBiDiStreaming,
  type Message,
  type MessageInitShape,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import {
  type ExtensionRequest,
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from "../gen/grpc/reflection/v1/reflection_pb.ts";

/** gRPC server reflection, version 1: the method that it is called by, and the answer to each of its requests. */
export interface Reflection {
  readonly method: DescMethodBiDiStreaming;
  readonly answer: (request: Message) => Message;
}

type Answer = MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"];

/** Codes of an errorResponse. */
const invalidArgument = 3;
const notFound = 5;

/**
 * Answers reflection from descriptors, so that `buf curl` and grpcurl need no files. `roots` must hold google.rpc.Status and the details'
 * types too, or they cannot decode a refusal. Own options survive: a file's bytes are those that its generator read.
 */
export function createReflection(roots: readonly DescFile[], services: readonly string[]): Reflection {
  const files = new Map(roots.flatMap(withDependencies).map((file) => [file.proto.name, file]));
  const registry = createRegistry(...files.values());
  return {
    method: ServerReflection.method.serverReflectionInfo,
    answer: (message) => {
      const request = message as ServerReflectionRequest; // decoded by the method's own schema
      const messageResponse = answerTo(request, { files, registry, services });
      const init = { validHost: request.host, originalRequest: request, messageResponse };
      return create(ServerReflectionResponseSchema, init as MessageInitShape<typeof ServerReflectionResponseSchema>);
    },
  };
}

interface Known {
  readonly files: ReadonlyMap<string, DescFile>;
  readonly registry: Registry;
  readonly services: readonly string[];
}

function answerTo({ messageRequest }: ServerReflectionRequest, known: Known): Answer {
  switch (messageRequest.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: known.services.map((name) => ({ name })) } };
    case "fileByFilename":
      return filesFrom(known.files.get(messageRequest.value), messageRequest.value);
    case "fileContainingSymbol":
      return filesFrom(fileOfSymbol(messageRequest.value, known.registry), messageRequest.value);
    case "fileContainingExtension":
      return filesFrom(extensionOf(messageRequest.value, known.registry)?.file, messageRequest.value.containingType);
    case "allExtensionNumbersOfType":
      return extensionNumbers(messageRequest.value, known.registry);
    case undefined:
      return fault(invalidArgument, "the request asks for nothing");
  }
}

function filesFrom(file: DescFile | undefined, asked: string): Answer {
  if (file === undefined) return fault(notFound, `not known here: ${asked}`);
  const fileDescriptorProto = withDependencies(file).map((each) => toBinary(FileDescriptorProtoSchema, each.proto));
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
}

/** A symbol may be a member (a method, a field, an enum's value): then what holds it answers. */
function fileOfSymbol(symbol: string, registry: Registry): DescFile | undefined {
  const found = registry.get(symbol);
  if (found !== undefined) return found.file;
  const holder = symbol.slice(0, symbol.lastIndexOf("."));
  return holder === "" || !symbol.includes(".") ? undefined : registry.get(holder)?.file;
}

function extensionOf(
  { containingType, extensionNumber }: ExtensionRequest,
  registry: Registry,
): DescExtension | undefined {
  const extendee = registry.getMessage(containingType);
  return extendee === undefined ? undefined : registry.getExtensionFor(extendee, extensionNumber);
}

function extensionNumbers(baseTypeName: string, registry: Registry): Answer {
  if (registry.getMessage(baseTypeName) === undefined) return fault(notFound, `not known here: ${baseTypeName}`);
  const extensionNumber = [...registry]
    .filter((type) => type.kind === "extension" && type.extendee.typeName === baseTypeName)
    .map((type) => (type as DescExtension).number);
  return { case: "allExtensionNumbersResponse", value: { baseTypeName, extensionNumber } };
}

function fault(errorCode: number, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}

function withDependencies(file: DescFile): DescFile[] {
  return [...new Set([file, ...file.dependencies.flatMap(withDependencies)])];
}
