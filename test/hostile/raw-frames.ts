import type { Socket } from "node:net";
import { rawSocket } from "./raw-http1.ts";
import { clientPreface, frame, headerBlock, type RawHeaders } from "./raw-http2.ts";

/** Types and flags of HTTP/2 frames (RFC 9113, 6). */
export const data = 0;
export const headers = 1;
export const reset = 3;
export const settings = 4;
export const ping = 6;
export const goAway = 7;
export const windowUpdate = 8;
export const continuation = 9;
export const endStream = 1;
export const endHeaders = 4;

/** A frame that the server sent. */
export interface Received {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** An HTTP/2 connection on which a test writes each frame by itself. */
export interface FrameConnection {
  readonly socket: Socket;
  readonly received: readonly Received[];
  send(...frames: readonly Buffer[]): void;
  /** Resolves when such a frame has come, or is there already; rejects when the time has passed or the connection has ended. */
  next(matches: (received: Received) => boolean, ms?: number): Promise<Received>;
}

/** Connects and sends the preface. */
export function frameConnection(address: string): FrameConnection {
  const socket = rawSocket(address);
  const received: Received[] = [];
  let pending = Buffer.alloc(0);
  socket.on("data", (part: Buffer) => {
    pending = Buffer.concat([pending, part]);
    while (pending.length >= 9 && pending.length >= 9 + pending.readUIntBE(0, 3)) {
      const length = 9 + pending.readUIntBE(0, 3);
      received.push(readFrame(pending.subarray(0, length)));
      pending = pending.subarray(length);
    }
    socket.emit("frames");
  });
  socket.write(clientPreface);
  return {
    socket,
    received,
    send: (...frames) => void socket.write(Buffer.concat(frames)),
    next: (matches, ms = 2_000) =>
      new Promise((resolve, reject) => {
        const settle = (end: () => void): void => {
          clearTimeout(timer);
          socket.off("frames", look).off("close", ended);
          end();
        };
        const look = (): void => {
          const found = received.find(matches);
          if (found !== undefined) settle(() => resolve(found));
        };
        const ended = (): void => settle(() => reject(new Error("the connection ended")));
        const timer = setTimeout(() => settle(() => reject(new Error("no such frame came"))), ms);
        socket.on("frames", look).on("close", ended);
        look();
      }),
  };
}

/** A HEADERS frame that is a whole block. */
export function headersOf(stream: number, list: RawHeaders, flags = endHeaders): Buffer {
  return frame(headers, flags, stream, headerBlock(list));
}

/** RST_STREAM with CANCEL. */
export function cancel(stream: number): Buffer {
  return frame(reset, 0, stream, Buffer.from([0, 0, 0, 8]));
}

function readFrame(bytes: Buffer): Received {
  return {
    type: bytes[3] ?? 0,
    flags: bytes[4] ?? 0,
    stream: bytes.readUInt32BE(5) % 2 ** 31,
    payload: bytes.subarray(9),
  };
}
