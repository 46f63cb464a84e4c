/**
 * How many bytes of documents are held at once, whoever holds them: bodies that arrive, and answers until their readers have them. The one
 * bound behind `limits.documentsInFlightBytes`. Whoever is alone is let in, so that the largest document gets through any bound.
 */
export class DocumentRoom {
  private readonly limit: number;
  private readonly waiting = new Set<Attempt>();
  private used = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The bytes that are held now. */
  get held(): number {
    return this.used;
  }

  /** Whether one that holds `own` bytes may hold `wanted`. */
  fits(own: number, wanted: number): boolean {
    const others = this.used - own;
    return others === 0 || others + wanted <= this.limit;
  }

  /** Counts bytes in, or out. Those who wait are let in in the order in which they came. */
  change(by: number): void {
    this.used += by;
    if (by >= 0) return;
    for (const attempt of this.waiting) {
      if (!attempt()) return;
      this.waiting.delete(attempt);
    }
  }

  /** Waits in the line until the attempt succeeds. The answer leaves the line. */
  wait(attempt: Attempt): () => void {
    this.waiting.add(attempt);
    return () => void this.waiting.delete(attempt);
  }
}

/** Tries to get in; whether it did. */
type Attempt = () => boolean;

/** What one exchange holds of the room. */
export class Share {
  private readonly room: DocumentRoom;
  private own = 0;
  private returned = false;

  constructor(room: DocumentRoom) {
    this.room = room;
  }

  /** The bytes that it holds. */
  get bytes(): number {
    return this.own;
  }

  /** Holds so many bytes instead of those before. False, and nothing has changed, if there is no room for more. */
  resize(bytes: number): boolean {
    if (this.returned) return true; // its exchange has ended: whatever still works for it works for nobody
    if (bytes > this.own && !this.room.fits(this.own, bytes)) return false;
    const by = bytes - this.own;
    this.own = bytes;
    this.room.change(by);
    return true;
  }

  /** The same as soon as there is room. False if there was none for so many milliseconds. */
  resizeWithin(bytes: number, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        leave();
        resolve(false);
      }, ms);
      const leave = this.room.wait(() => {
        if (!this.resize(bytes)) return false;
        clearTimeout(late);
        resolve(true);
        return true;
      });
    });
  }

  /** Gives everything back, for good. */
  giveBack(): void {
    this.resize(0);
    this.returned = true;
  }
}
