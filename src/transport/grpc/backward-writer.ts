import type { DescField } from "@bufbuild/protobuf";

const varintType = 0;
const lengthType = 2;

/**
 * Writes a protobuf message from its last byte to its first, so that the length of what it nests is known when its place comes: nothing is
 * measured before and nothing moved afterwards. The caller writes fields in falling order.
 */
export class BackwardWriter {
  /** How many bytes are free, in front of all that has been written. */
  left: number;
  private readonly buffer: Buffer;

  /** `room` is the most that will be written. */
  constructor(room: number) {
    this.buffer = Buffer.allocUnsafe(room);
    this.left = room;
  }

  /** A field that nests what has been written since `left` was `end`. */
  nested(field: DescField, end: number): void {
    this.varint(end - this.left);
    this.varint((field.number << 3) | lengthType);
  }

  /** A field of bytes, empty ones too. */
  bytes(field: DescField, value: Uint8Array): void {
    const end = this.left;
    this.left -= value.length;
    this.buffer.set(value, this.left);
    this.nested(field, end);
  }

  /** A field of repeated strings. */
  texts(field: DescField, values: readonly string[]): void {
    for (let at = values.length - 1; at >= 0; at -= 1) this.bytes(field, Buffer.from(values[at] ?? "", "utf8"));
  }

  /** A field of a whole number from 0 to 2^53 - 1, which is left out if it is 0. */
  number(field: DescField, value: number): void {
    if (value === 0) return;
    this.varint(value);
    this.varint((field.number << 3) | varintType);
  }

  /** What has been written. */
  written(): Buffer {
    return this.buffer.subarray(this.left);
  }

  private varint(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
    this.left -= size;
    let rest = value;
    for (let at = this.left; at < this.left + size - 1; at += 1) {
      this.buffer[at] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.buffer[this.left + size - 1] = rest;
  }
}
