import type { Share } from "./document-room.ts";

/** How long the status of a passed deadline may take to leave before its exchange is cut, in milliseconds. */
const grace = 1_000;

/** How the two kinds of connection end one of their exchanges. */
export interface ExchangeEnds {
  /** The body has not come in its time. */
  readonly slowBody: () => void;
  /** The reader has not taken the answer in its time: nothing more is sent, and what waits for it is let go. */
  readonly cut: () => void;
}

/**
 * One request and its answer on the wire: from its headers until the last byte of the answer has gone or the client has. A call ends earlier,
 * when its answer is made; what it holds of the documents' room it holds until here.
 */
export class Exchange {
  readonly share: Share;
  private readonly since = Date.now();
  private readonly ends: ExchangeEnds;
  private bodyEnded = false;
  private gone = false;
  private working = false;
  private deadline = Number.POSITIVE_INFINITY;

  constructor(share: Share, ends: ExchangeEnds) {
    this.share = share;
    this.ends = ends;
  }

  /** A handler begins to work for it: it may hold documents even after its reader has gone. */
  beginWork(): void {
    this.working = true;
  }

  /** The handler has ended, and its answer takes so much of the room. */
  endWork(answerBytes: number): void {
    this.working = false;
    this.share.hold(answerBytes);
    if (this.gone) this.share.giveBack();
  }

  /** The last byte has gone, or the client has. */
  end(): void {
    this.gone = true;
    if (!this.working) this.share.giveBack();
  }

  /** The whole body is there, or nobody waits for it any more. */
  endBody(): void {
    this.bodyEnded = true;
  }

  /** By when the answer must have left, in milliseconds since 1970. Unsaid: it may go on as long as its reader likes. */
  answerBy(deadline: number): void {
    this.deadline = deadline;
  }

  /** Ends what lasts too long. */
  check(now: number, bodyTimeout: number): void {
    if (!this.bodyEnded && now >= this.since + bodyTimeout) {
      this.bodyEnded = true;
      this.ends.slowBody();
    }
    if (now < this.deadline + grace) return;
    this.deadline = Number.POSITIVE_INFINITY;
    this.ends.cut();
  }
}
