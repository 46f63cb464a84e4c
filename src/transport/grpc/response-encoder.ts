import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import {
  scalarType,
  tagged,
  textType,
  varintType,
  type WireType,
  type Write,
  withLength,
  writer,
} from "./wire-types.ts";

/** Turns a message into its bytes; throws a TypeError where a field holds what is not of its type. */
export type ResponseEncoder = (message: Message) => Buffer;

/**
 * The encoder of a method's answers: the same bytes as protobuf-es writes. That one costs a Resolve 7 µs of its 60, and moves the entries of a
 * replay six times while its buffer and their lengths grow; this one takes 2 µs, and moves them once. What is made by who wrote it elsewhere,
 * unknown fields, is left out.
 */
export function responseEncoder(schema: DescMessage): ResponseEncoder {
  const write = messageWriter(schema);
  return (message) => {
    writer.begin();
    write(message);
    return writer.taken();
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The writer of each type of message: made once, and known before its fields are, since a type may hold itself. */
const messageWriters = new Map<DescMessage, Write>();

function messageWriter(schema: DescMessage): Write {
  const known = messageWriters.get(schema);
  if (known !== undefined) return known;
  const fields: Write[] = [];
  const write: Write = (message) => {
    if (!isMessage(message, schema)) throw new TypeError(`this is no ${schema.typeName}`);
    for (const field of fields) field(message);
  };
  messageWriters.set(schema, write);
  fields.push(...schema.fields.toSorted((one, other) => other.number - one.number).map(fieldWriter));
  return write;
}

function isMessage(value: unknown, { typeName }: DescMessage): value is Fields {
  return typeof value === "object" && value !== null && "$typeName" in value && value.$typeName === typeName;
}

/** Writes a field of the message that it is given, if it is set. */
function fieldWriter(field: DescField): (message: unknown) => void {
  const write = valueWriter(field);
  const { localName, oneof } = field;
  const isUnset = field.presence === FeatureSet_FieldPresence.IMPLICIT ? isZero : isUndefined;
  return (message) => {
    const fields = message as Fields; // its writer has seen that it is a message
    if (oneof === undefined) {
      const value = fields[localName];
      if (!isUnset(value)) write(value);
    } else {
      const chosen = fields[oneof.localName] as { readonly case: unknown; readonly value?: unknown }; // so says the generator
      if (chosen.case === localName) write(chosen.value);
    }
  };
}

function isUndefined(value: unknown): boolean {
  return value === undefined;
}

function isZero(value: unknown): boolean {
  return (
    value === "" ||
    Object.is(value, 0) ||
    value === 0n ||
    value === false ||
    (value instanceof Uint8Array && value.length === 0)
  );
}

/** Writes the value of a field that is set, with its tag. */
function valueWriter(field: DescField): Write {
  switch (field.fieldKind) {
    case "message":
      return tagged(field.number, messageType(field.message));
    case "enum":
      return tagged(field.number, varintType);
    case "scalar":
      return tagged(field.number, scalarType(field.scalar));
    case "list":
      return listWriter(field);
    case "map":
      return mapWriter(field);
  }
}

function messageType(schema: DescMessage): WireType {
  return withLength(messageWriter(schema));
}

function listWriter(field: DescField & { fieldKind: "list" }): Write {
  const type = elementType(field);
  const each = field.packed ? type.write : tagged(field.number, type);
  const all: Write = (list) => {
    if (!Array.isArray(list)) throw new TypeError("this is no list");
    for (let at = list.length - 1; at >= 0; at -= 1) each(list[at]);
  };
  const packed = tagged(field.number, withLength(all));
  return (list) => (field.packed && Array.isArray(list) && list.length > 0 ? packed(list) : all(list));
}

function elementType(field: DescField & { fieldKind: "list" }): WireType {
  if (field.listKind === "message") return messageType(field.message);
  return field.listKind === "enum" ? varintType : scalarType(field.scalar);
}

/** A map is a list of messages of a key and a value. */
function mapWriter(field: DescField & { fieldKind: "map" }): Write {
  if (field.mapKey !== ScalarType.STRING || field.mapKind !== "scalar") {
    throw new Error("no answer had a map of this type before: give it a writer");
  }
  const [key, value] = [tagged(1, textType), tagged(2, scalarType(field.scalar))];
  const entry = tagged(
    field.number,
    withLength((pair) => {
      const [name, held] = pair as readonly [string, unknown]; // of Object.entries
      value(held);
      key(name);
    }),
  );
  return (map) => {
    for (const pair of Object.entries(map as Fields).toReversed()) entry(pair); // the generator types maps as objects
  };
}
