import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { PaletteService, ResolveRequestSchema } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { pathOf } from "../../src/transport/route.ts";

/** The path that hostile requests ask for. */
export const resolvePath = pathOf(PaletteService.method.resolve);

const request = create(ResolveRequestSchema, {
  registered: { case: "registry", value: { tools: [{ name: "search" }] } },
});
const binary = Buffer.from(toBinary(ResolveRequestSchema, request));

/** One good Resolve in each content type that is served here: only what is put around it is hostile. */
export const protocols: readonly { readonly type: string; readonly body: Buffer }[] = [
  { type: "application/grpc", body: enveloped(binary) },
  { type: "application/grpc-web+proto", body: enveloped(binary) },
  { type: "application/json", body: Buffer.from(toJsonString(ResolveRequestSchema, request)) },
  { type: "application/proto", body: binary },
];

/** A message with gRPC's prefix of five bytes. */
export function enveloped(message: Buffer, flags = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}
