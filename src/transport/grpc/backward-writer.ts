/** Up to this size the buffer is kept for the next message; what one larger message needed is let go. */
const keptBytes = 2 * 1024 * 1024;

/** Longer texts are written by the engine; shorter ones sooner by hand. */
const shortText = 64;

/**
 * Writes protobuf's wire format from the last byte to the first, so that the length of what a message nests is known when its place comes:
 * nothing is measured before and nothing moved afterwards.
 */
export class BackwardWriter {
  private buffer = Buffer.allocUnsafeSlow(4096);
  private left = this.buffer.length;

  /** How many bytes have been written of this message. */
  get size(): number {
    return this.buffer.length - this.left;
  }

  /** Begins a message; what was written of the one before is lost. */
  begin(): void {
    if (this.buffer.length > keptBytes) this.buffer = Buffer.allocUnsafeSlow(keptBytes);
    this.left = this.buffer.length;
  }

  /** The message, in bytes of its own. */
  taken(): Buffer {
    return Buffer.from(this.buffer.subarray(this.left));
  }

  /** A whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.room(8);
    if (value < 0x80) {
      this.left -= 1;
      this.buffer[this.left] = value;
      return;
    }
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

  /** The 64 bits of any whole number. */
  varint64(value: bigint): void {
    if (value >= 0n && value <= Number.MAX_SAFE_INTEGER) {
      this.varint(Number(value));
      return;
    }
    const groups: number[] = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest >= 0x80n; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    this.raw(Uint8Array.from(groups));
  }

  /** IEEE 754, 8 bytes. */
  double(value: number): void {
    this.room(8);
    this.left -= 8;
    this.buffer.writeDoubleLE(value, this.left);
  }

  /** Bytes as they are. */
  raw(value: Uint8Array): void {
    this.room(value.length);
    this.left -= value.length;
    this.buffer.set(value, this.left);
  }

  /** A text in UTF-8. */
  text(value: string): void {
    if (value.length <= shortText && this.ascii(value)) return;
    const bytes = Buffer.byteLength(value);
    this.room(bytes);
    this.left -= bytes;
    this.buffer.write(value, this.left);
  }

  /** Writes a text if all of it is ASCII; else nothing has happened. */
  private ascii(value: string): boolean {
    this.room(value.length);
    const begin = this.left - value.length;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      if (code >= 0x80) return false;
      this.buffer[begin + at] = code;
    }
    this.left = begin;
    return true;
  }

  private room(bytes: number): void {
    if (bytes <= this.left) return;
    const { size } = this;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.buffer.length, size + bytes));
    this.buffer.copy(larger, larger.length - size, this.left);
    this.buffer = larger;
    this.left = larger.length - size;
  }
}
