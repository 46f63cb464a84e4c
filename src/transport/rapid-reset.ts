import { constants, type Http2Session, type ServerHttp2Stream } from "node:http2";

const resetWindow = 10_000;

interface Resets {
  count: number;
  since: number;
}

/** Closes the connection of a client that opens and resets streams without end (CVE-2023-44487). */
export class RapidReset {
  private readonly resetsPer10s: number;
  private readonly resets = new WeakMap<Http2Session, Resets>();

  constructor(resetsPer10s: number) {
    this.resetsPer10s = resetsPer10s;
  }

  /** Begins to watch a stream that has just come. */
  add(stream: ServerHttp2Stream): void {
    const { session } = stream; // a closed stream has none any more
    stream.once("close", () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) this.count(session);
    });
  }

  private count(session: Http2Session | undefined): void {
    if (session === undefined || session.destroyed) return;
    const now = Date.now();
    const known = this.resets.get(session);
    const resets = known !== undefined && now - known.since < resetWindow ? known : { count: 0, since: now };
    resets.count += 1;
    this.resets.set(session, resets);
    if (resets.count >= this.resetsPer10s) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}
