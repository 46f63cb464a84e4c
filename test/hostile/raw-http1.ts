import { connect, type Socket } from "node:net";

/** What came back on a raw connection until it ended, or until the first whole HTTP/1.1 answer. */
export interface RawAnswer {
  /** Of the first status line; undefined if none came. */
  readonly status: number | undefined;
  readonly text: string;
  /** The server ended the connection. */
  readonly closed: boolean;
}

/** Sends these bytes and waits for an answer with a status line, for the end of the connection, or for the time to pass. */
export function rawExchange(address: string, bytes: Buffer | string, ms = 1_500): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = rawSocket(address);
    const parts: Buffer[] = [];
    const done = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(parts).toString("latin1");
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), text, closed });
    };
    const timer = setTimeout(() => done(false), ms);
    socket.on("data", (part: Buffer) => {
      parts.push(part);
      if (/^HTTP\/1\.1 [\s\S]*\r\n\r\n/.test(Buffer.concat(parts).toString("latin1"))) done(false);
    });
    socket.on("close", () => done(true));
    socket.write(bytes);
  });
}

/** A connection without any protocol on it. A reset is no event: the close that follows is. */
export function rawSocket(address: string): Socket {
  const [host, port] = address.split(":");
  const socket = connect({ host: host ?? "", port: Number(port) });
  socket.on("error", () => undefined);
  return socket;
}

/** Whether the server ends this connection within the time. What it sends is dropped. */
export async function endsWithin(socket: Socket, ms: number): Promise<boolean> {
  if (socket.destroyed) return true;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    socket.resume();
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** A request of HTTP/1.1 in which nothing is checked; a header without a value is left away. */
export function rawRequest(request: {
  readonly method?: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string | Buffer])[];
  readonly body?: Buffer;
}): Buffer {
  const body = request.body ?? Buffer.alloc(0);
  const lines: (string | Buffer)[] = [`${request.method ?? "POST"} ${request.path} HTTP/1.1\r\n`];
  for (const [name, value] of [...request.headers, ["content-length", String(body.length)] as const]) {
    lines.push(`${name}: `, value, "\r\n");
  }
  return Buffer.concat([...lines, "\r\n", body].map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
