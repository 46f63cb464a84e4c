import { ScalarType } from "@bufbuild/protobuf";
import { BackwardWriter } from "./backward-writer.ts";

/** One for all: no message waits while it is written. */
export const writer = new BackwardWriter();

/** Writes a value in front of what has been written. */
export type Write = (value: unknown) => void;

/** How values of a field's type are written. */
export interface WireType {
  /** 0 varint, 1 of 64 bits, 2 with its length in front. */
  readonly wire: 0 | 1 | 2;
  readonly write: Write;
}

/** Writes a value as a field of this number. */
export function tagged(number: number, { wire, write }: WireType): Write {
  const tag = number * 8 + wire;
  return (value) => {
    write(value);
    writer.varint(tag);
  };
}

/** What nests: its length goes in front. */
export function withLength(write: Write): WireType {
  return {
    wire: 2,
    write: (value) => {
      const before = writer.size;
      write(value);
      writer.varint(writer.size - before);
    },
  };
}

/** Whole numbers, booleans and enums. */
export const varintType: WireType = {
  wire: 0,
  write: (value) => {
    if (typeof value === "bigint") writer.varint64(value);
    else if (typeof value === "boolean") writer.varint(Number(value));
    else if (!Number.isSafeInteger(value)) throw new TypeError("this is no whole number");
    else if (Number(value) < 0) writer.varint64(BigInt(Number(value)));
    else writer.varint(Number(value));
  },
};

/** Text in UTF-8. */
export const textType = withLength((value) => {
  if (typeof value !== "string") throw new TypeError("this is no text");
  writer.text(value);
});

const bytesType = withLength((value) => {
  if (!(value instanceof Uint8Array)) throw new TypeError("these are no bytes");
  writer.raw(value);
});

const doubleType: WireType = {
  wire: 1,
  write: (value) => {
    if (typeof value !== "number") throw new TypeError("this is no number");
    writer.double(value);
  },
};

/** The type of a scalar field. Those that no answer has are not built. */
export function scalarType(type: ScalarType): WireType {
  switch (type) {
    case ScalarType.STRING:
      return textType;
    case ScalarType.BYTES:
      return bytesType;
    case ScalarType.DOUBLE:
      return doubleType;
    case ScalarType.BOOL:
    case ScalarType.INT32:
    case ScalarType.INT64:
    case ScalarType.UINT32:
    case ScalarType.UINT64:
      return varintType;
    default:
      throw new Error(`no answer had a field of the scalar type ${ScalarType[type]} before: give it a writer`);
  }
}
