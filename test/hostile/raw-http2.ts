import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { Duplex } from "node:stream";
import { rawSocket } from "./raw-http1.ts";

/** How a stream ended for its client. */
export interface StreamAnswer {
  /** `:status`; undefined if no headers came. */
  readonly status: number | undefined;
  /** Trailers-Only or in trailers; undefined if it is not there. */
  readonly grpcStatus: number | undefined;
  /** The stream or the connection was reset, or nothing came in time. */
  readonly fault: string | undefined;
}

/** A header list as it goes onto the wire: no client checks it. */
export type RawHeaders = readonly (readonly [string, string | Buffer])[];

/**
 * Sends one request whose header block is written by hand, and reads the answer by Node's own client: that client sends an ordinary
 * request, and its HEADERS frame is replaced on the way to the socket.
 */
export function rawStream(
  address: string,
  headers: RawHeaders,
  body: Buffer = Buffer.alloc(0),
  ms = 2_000,
): Promise<StreamAnswer> {
  const session = connect(`http://${address}`, {
    createConnection: () => new HeaderSwap(address, headerBlock(headers)),
  });
  return answerOf(session, { ":method": "POST", ":path": "/" }, body, ms).finally(() => session.destroy());
}

/** One request of Node's own client, which refuses some values by itself: then the fault says so. */
export async function http2Request(
  address: string,
  headers: Record<string, string>,
  body: Buffer = Buffer.alloc(0),
  ms = 2_000,
): Promise<StreamAnswer> {
  const session = connect(`http://${address}`);
  try {
    return await answerOf(session, headers, body, ms);
  } finally {
    session.destroy();
  }
}

function answerOf(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: Buffer,
  ms: number,
): Promise<StreamAnswer> {
  return new Promise((resolve) => {
    let status: number | undefined;
    let grpcStatus: number | undefined;
    const done = (fault: string | undefined): void => {
      clearTimeout(timer);
      resolve({ status, grpcStatus, fault });
    };
    const timer = setTimeout(() => done("no answer"), ms);
    const read = (received: IncomingHttpHeaders): void => {
      if (received[":status"] !== undefined) status = Number(received[":status"]);
      if (received["grpc-status"] !== undefined) grpcStatus = Number(received["grpc-status"]);
    };
    session.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    const stream = session.request(headers, { endStream: false });
    stream.on("response", read).on("trailers", read);
    stream.on("error", (error) => done(error.message));
    stream.on("close", () => done(status === undefined ? `closed with ${stream.rstCode}` : undefined));
    stream.resume();
    stream.end(body);
  });
}

const prefaceBytes = 24;
const headersFrame = 1;

/** A socket that replaces the payload of each HEADERS frame that is written to it. */
class HeaderSwap extends Duplex {
  private readonly socket;
  private readonly block: Buffer;
  private pending = Buffer.alloc(0);
  private begun = false;

  constructor(address: string, block: Buffer) {
    super();
    this.block = block;
    this.socket = rawSocket(address);
    this.socket.on("data", (part: Buffer) => this.push(part));
    this.socket.on("close", () => this.destroy());
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(part: Buffer, _encoding: string, done: () => void): void {
    this.pending = Buffer.concat([this.pending, part]);
    if (!this.begun && this.pending.length >= prefaceBytes) {
      this.begun = true;
      this.socket.write(this.pending.subarray(0, prefaceBytes));
      this.pending = this.pending.subarray(prefaceBytes);
    }
    while (this.begun && this.pending.length >= 9 && this.pending.length >= 9 + this.pending.readUIntBE(0, 3)) {
      const length = 9 + this.pending.readUIntBE(0, 3);
      this.forward(this.pending.subarray(0, length));
      this.pending = this.pending.subarray(length);
    }
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private forward(received: Buffer): void {
    const swapped = received[3] === headersFrame;
    this.socket.write(swapped ? frame(headersFrame, received[4] ?? 0, received.readUInt32BE(5), this.block) : received);
  }
}

/** One HTTP/2 frame. */
export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The client's connection preface and empty settings. */
export const clientPreface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(4, 0, 0, Buffer.alloc(0)),
]);

/** HPACK: every field as a literal without indexing, its strings without Huffman. */
export function headerBlock(headers: RawHeaders): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));
}

function literal(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([prefixed(bytes.length), bytes]);
}

/** An integer with a prefix of 7 bits. */
function prefixed(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
