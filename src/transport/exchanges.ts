import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import { type DocumentRoom, Share } from "./document-room.ts";
import { Exchange, type ExchangeEnds } from "./exchange.ts";

/** The header in which a gRPC call takes the id of its exchange to its handler. What a client sends in it is dropped. */
export const exchangeHeader = "fermata-exchange";

/** How often exchanges are looked at, in milliseconds. */
const sweepEvery = 500;

/** A request as connect-node takes it: of HTTP/1.1, or by HTTP/2's compatible interface. */
type Request = IncomingMessage | Http2ServerRequest;

/**
 * Every exchange of a server. It ends two kinds that no server below ends by itself: a body that never comes to its end, and an answer that
 * its reader does not take although the call's deadline has passed.
 */
export class Exchanges {
  private readonly room: DocumentRoom;
  private readonly bodyTimeout: number;
  private readonly open = new Map<string, Exchange>();
  private readonly ids = new WeakMap<ServerHttp2Stream | IncomingMessage, string>();
  private readonly timer: NodeJS.Timeout;
  private lastId = 0;

  constructor(room: DocumentRoom, bodyTimeout: number) {
    this.room = room;
    this.bodyTimeout = bodyTimeout;
    this.timer = setInterval(() => this.sweep(), Math.min(sweepEvery, bodyTimeout)).unref();
  }

  /** Begins an exchange on HTTP/2, whichever protocol it speaks, and answers its id. */
  beginStream(stream: ServerHttp2Stream): string {
    const [id, exchange] = this.begin(stream, { slowBody: () => endSlowBody(stream), cut: () => cutStream(stream) });
    stream.once("end", () => exchange.endBody());
    stream.once("close", () => this.end(id, exchange));
    return id;
  }

  /** Begins an exchange on HTTP/1.1, whose server times bodies by itself. One on HTTP/2 has begun as its stream. */
  beginRequest(request: Request, response: ServerResponse | Http2ServerResponse): void {
    if ("stream" in request) return;
    const [id, exchange] = this.begin(request, { slowBody: () => undefined, cut: () => cutResponse(response) });
    response.once("close", () => this.end(id, exchange));
  }

  /** The exchange of this id, until it ends. */
  byId(id: string | undefined): Exchange | undefined {
    return id === undefined ? undefined : this.open.get(id);
  }

  /** The exchange of a request, until it ends. */
  ofRequest(request: Request): Exchange | undefined {
    return this.byId(this.ids.get("stream" in request ? request.stream : request));
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.timer);
  }

  private begin(carrier: ServerHttp2Stream | IncomingMessage, ends: ExchangeEnds): readonly [string, Exchange] {
    this.lastId += 1;
    const id = String(this.lastId);
    const exchange = new Exchange(new Share(this.room), ends);
    this.open.set(id, exchange);
    this.ids.set(carrier, id);
    return [id, exchange];
  }

  private end(id: string, exchange: Exchange): void {
    this.open.delete(id);
    exchange.end();
  }

  private sweep(): void {
    const now = Date.now();
    for (const exchange of this.open.values()) exchange.check(now, this.bodyTimeout);
  }
}

/** 408 for everybody: gRPC clients read it as a status of their own, and a stream that has been answered already is just closed. */
function endSlowBody(stream: ServerHttp2Stream): void {
  if (stream.destroyed) return;
  if (!stream.headersSent) stream.respond({ ":status": 408 }, { endStream: true });
  stream.close(constants.NGHTTP2_NO_ERROR);
}

/** connect-node hears first that the reader has gone, of which it says nothing: of a write that was cancelled it tells on stderr. */
function cutResponse(response: ServerResponse | Http2ServerResponse): void {
  const gone = Object.assign(new Error("the reader did not take its answer"), { code: "ECONNRESET" });
  if (response.listenerCount("error") > 0) response.emit("error", gone);
  response.destroy();
}

function cutStream(stream: ServerHttp2Stream): void {
  if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
}
