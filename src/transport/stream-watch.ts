import { constants, type Http2Session, type ServerHttp2Stream } from "node:http2";

/** How often bodies are looked at, in milliseconds. */
const sweepEvery = 500;
const resetWindow = 10_000;

/** Milliseconds and a count. */
export interface StreamWatchLimits {
  readonly bodyTimeout: number;
  readonly resetsPer10s: number;
}

interface Resets {
  count: number;
  since: number;
}

/**
 * Watches HTTP/2 streams for two abuses that no server below ends by itself: a body that never ends, and a client that opens and resets
 * streams without end (CVE-2023-44487).
 */
export class StreamWatch {
  private readonly limits: StreamWatchLimits;
  private readonly bodies = new Map<ServerHttp2Stream, number>();
  private readonly resets = new WeakMap<Http2Session, Resets>();
  private readonly timer: NodeJS.Timeout;

  constructor(limits: StreamWatchLimits) {
    this.limits = limits;
    this.timer = setInterval(() => this.sweep(), Math.min(sweepEvery, limits.bodyTimeout)).unref();
  }

  /** Begins to watch a stream that has just come. */
  add(stream: ServerHttp2Stream): void {
    const { session } = stream; // a closed stream has none any more
    this.bodies.set(stream, Date.now());
    stream.once("end", () => this.bodies.delete(stream));
    stream.once("close", () => {
      this.bodies.delete(stream);
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) this.countReset(session);
    });
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** The map keeps the order in which streams came, so the first that is young enough ends the look. */
  private sweep(): void {
    const oldest = Date.now() - this.limits.bodyTimeout;
    for (const [stream, since] of this.bodies) {
      if (since > oldest) return;
      this.bodies.delete(stream);
      endSlowBody(stream);
    }
  }

  private countReset(session: Http2Session | undefined): void {
    if (session === undefined || session.destroyed) return;
    const now = Date.now();
    const known = this.resets.get(session);
    const resets = known !== undefined && now - known.since < resetWindow ? known : { count: 0, since: now };
    resets.count += 1;
    this.resets.set(session, resets);
    if (resets.count >= this.limits.resetsPer10s) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

/** 408 for everybody: gRPC clients read it as a status of their own, and a stream that has been answered already is just closed. */
function endSlowBody(stream: ServerHttp2Stream): void {
  if (stream.destroyed) return;
  if (!stream.headersSent) stream.respond({ ":status": 408 }, { endStream: true });
  stream.close(constants.NGHTTP2_NO_ERROR);
}
