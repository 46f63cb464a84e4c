import { type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
import { type Registry, RegistrySchema } from "../../gen/fermata/palette/v1/palette_pb.ts";
import type { ResolveRequest } from "../../gen/fermata/palette/v1/palette_service_pb.ts";

/** Turns a request's bytes into its message. Unknown fields are dropped: nothing reads them. */
export type RequestDecoder = (bytes: Buffer) => Message;

/** How many registries are known by their bytes at once, and the largest of them: a sidecar has few hosts, and each sends the same again. */
const maxKnown = 8;
const maxBytes = 512 * 1024;
const firstFieldLength = 0x0a;

/**
 * The decoder of a method's requests. A request that begins with the very bytes of a registry that came lately gets that registry's message
 * again instead of a new one: a host sends the same 50 tools with every turn, and decoding and proving them is half the work of a Resolve.
 */
export function requestDecoder(schema: DescMessage): RequestDecoder {
  const plain: RequestDecoder = (bytes) => fromBinary(schema, bytes, { readUnknownFields: false });
  if (!schema.fields.some(isInlineRegistry)) return plain;
  const known: KnownRegistry[] = [];
  return (bytes) => {
    const length = registryLength(bytes);
    if (length === 0) return plain(bytes);
    const hit = known.findIndex((one) => one.bytes.length === length && one.bytes.compare(bytes, 0, length) === 0);
    const found = hit < 0 ? undefined : known[hit];
    if (found === undefined) return remembered(bytes.subarray(0, length), plain(bytes), known);
    const rest = plain(bytes.subarray(length)) as ResolveRequest; // it has the oneof that isInlineRegistry saw
    if (rest.registered.case !== undefined) return plain(bytes); // it says twice what is registered: protobuf's rules decide
    rest.registered = { case: "registry", value: found.registry };
    return rest;
  };
}

interface KnownRegistry {
  readonly bytes: Buffer;
  readonly registry: Registry;
}

function remembered(bytes: Buffer, message: Message, known: KnownRegistry[]): Message {
  const { registered } = message as ResolveRequest; // as above
  if (registered.case !== "registry") return message;
  known.unshift({ bytes: Buffer.from(bytes), registry: registered.value });
  known.length = Math.min(known.length, maxKnown);
  return message;
}

function isInlineRegistry(field: DescMessage["fields"][number]): boolean {
  return (
    field.number === 1 && field.oneof?.name === "registered" && field.message?.typeName === RegistrySchema.typeName
  );
}

/** How many bytes the registry takes at the front, tag and length included; 0 if there is none, or one that is not worth keeping. */
function registryLength(bytes: Buffer): number {
  if (bytes[0] !== firstFieldLength) return 0;
  let length = 0;
  for (let at = 1; at < 5; at += 1) {
    const byte = bytes[at] ?? 0;
    length |= (byte & 0x7f) << (7 * (at - 1));
    if (byte < 0x80) {
      const whole = at + 1 + length;
      return whole <= Math.min(bytes.length, maxBytes) ? whole : 0;
    }
  }
  return 0;
}
