import { chmodSync, lstatSync, unlinkSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { HttpHandler } from "./connect/server.ts";

/** A listener that could not be had: the address is taken, not ours, or no address at all. Ends a start with exit code 71. */
export class ListenFault extends Error {
  override readonly name = "ListenFault";
}

/** Where a connection goes once its first bytes have told what it speaks. */
export interface Connections {
  readonly http2: (socket: Socket) => void;
  readonly http1: HttpHandler;
}

/** Sizes in bytes, times in milliseconds. */
export interface ListenerLimits {
  readonly connections: number;
  readonly headerBytes: number;
  readonly prefaceTimeout: number;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  /** Who may connect to a Unix socket, as bits of its mode. Default: its owner and its group. */
  readonly socketMode?: number;
}

/** A bound listener. */
export interface Listener {
  /** As a client names it: `127.0.0.1:50551` or `unix:/path`. */
  readonly address: string;
  /** Takes no new connections; resolves when HTTP/1.1 ones have ended. HTTP/2 ones end with the gRPC server's drain. */
  close(): Promise<void>;
  /** Ends it at once, with the connections that are left. */
  destroy(): void;
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const unixPrefix = "unix:";
/** sun_path of Linux has 108 bytes with its terminator. */
const maxSocketPath = 107;
const usualMode = 0o660;

/** Binds one address (TCP `host:port` or `unix:/path`), and hands each connection over by its first bytes. */
export async function listen(address: string, to: Connections, limits: ListenerLimits): Promise<Listener> {
  const http1 = http1Server(to.http1, limits);
  const open = new Set<Socket>();
  const silent = new Set<Socket>(); // those that have not said what they speak
  const server = createServer((socket) => {
    open.add(socket);
    silent.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      silent.delete(socket);
    });
    socket.on("error", () => undefined); // a peer that resets its connection is no event
    handOver(socket, limits.prefaceTimeout, (speaks) => {
      silent.delete(socket);
      if (speaks === "http2") to.http2(socket);
      else http1.emit("connection", socket);
    });
  });
  server.maxConnections = limits.connections;
  return {
    address: await bind(server, address, limits.socketMode ?? usualMode),
    close: () => {
      for (const socket of silent) socket.destroy();
      return close(server, http1);
    },
    destroy: () => {
      server.close(); // without a callback: it may be closed already
      http1.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** An HTTP/1.1 server that binds no port. Its own time-outs run only once it believes that it listens. */
function http1Server(handler: HttpHandler, limits: ListenerLimits): HttpServer {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.headersTimeout + limits.bodyTimeout, // Node counts it from the first byte of the headers
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeout),
  };
  const server = createHttpServer(options, handler);
  server.emit("listening");
  return server;
}

/** HTTP/2 has its preface, which no other protocol begins with; whatever is neither gets HTTP/1.1's 400. */
function handOver(socket: Socket, timeout: number, to: (speaks: "http1" | "http2") => void): void {
  const timer = setTimeout(() => socket.destroy(), timeout);
  socket.on("close", () => clearTimeout(timer));
  let head = Buffer.alloc(0);
  socket.on("readable", look);

  function look(): void {
    const bytes: Buffer | null = socket.read();
    if (bytes === null) return;
    head = Buffer.concat([head, bytes]);
    const common = Math.min(head.length, preface.length);
    const matches = head.compare(preface, 0, common, 0, common) === 0;
    if (matches && common < preface.length) return;
    clearTimeout(timer);
    socket.off("readable", look);
    socket.unshift(head);
    to(matches ? "http2" : "http1");
  }
}

async function bind(server: Server, address: string, mode: number): Promise<string> {
  if (address.startsWith(unixPrefix)) return bindUnix(server, address.slice(unixPrefix.length), mode);
  const { host, port } = hostAndPort(address);
  await listening(server, () => server.listen({ host, port, exclusive: true }), address);
  const bound = server.address();
  if (bound === null || typeof bound === "string") return address;
  return bound.family === "IPv6" ? `[${bound.address}]:${bound.port}` : `${bound.address}:${bound.port}`;
}

/** A socket file that nobody answers is left over from a kill and replaced; one that somebody answers is refused. */
async function bindUnix(server: Server, path: string, mode: number): Promise<string> {
  const address = `${unixPrefix}${path}`;
  if (Buffer.byteLength(path) > maxSocketPath)
    throw new ListenFault(`${address}: a socket's path has at most 107 bytes`);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false) {
    throw new ListenFault(`${address}: something that is no socket stands there`);
  }
  const state = await probe(path);
  if (state === "live") throw new ListenFault(`${address}: another process serves this socket`);
  if (state === "stale") unlinkSync(path);
  const before = process.umask(0o777 & ~mode);
  try {
    await listening(server, () => server.listen({ path }), address);
  } finally {
    process.umask(before);
  }
  chmodSync(path, mode);
  return address;
}

function probe(path: string): Promise<"free" | "stale" | "live"> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("connect", () => {
      socket.destroy();
      resolve("live");
    });
    socket.on("error", (fault: NodeJS.ErrnoException) => resolve(fault.code === "ECONNREFUSED" ? "stale" : "free"));
  });
}

function listening(server: Server, begin: () => void, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (fault: NodeJS.ErrnoException) =>
      reject(new ListenFault(`${address}: ${fault.code ?? fault.message}`, { cause: fault })),
    );
    server.once("listening", resolve);
    begin();
  });
}

/** Splits `host:port`; an IPv6 address stands in brackets. */
function hostAndPort(address: string): { host: string; port: number } {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(address);
  const host = parts?.[1] ?? parts?.[2];
  if (host === undefined) throw new ListenFault(`${address}: an address is host:port or unix:/path`);
  return { host, port: Number(parts?.[3]) };
}

async function close(server: Server, http1: HttpServer): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  http1.close(() => undefined); // it never listened; this ends its timers
  const idle = setInterval(() => http1.closeIdleConnections(), 50);
  await ended;
  clearInterval(idle);
}
