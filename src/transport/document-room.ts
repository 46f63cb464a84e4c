/** The part of the room up to which reads begin. */
const readable = 5 / 8;

/** The most reads at once: one thread reads the store, and another judges. */
const mostReads = 8;

/**
 * How many bytes of documents are held at once, whoever holds them: bodies that arrive, and answers until their readers have them. The one
 * bound behind `limits.documentsInFlightBytes`. Whoever is alone is let in, so that the largest document gets through any bound. How much a
 * read will hold only the store knows: a few go on at once, and begin as long as the room is not full.
 */
export class DocumentRoom {
  private readonly limit: number;
  private readonly readsAtOnce: number;
  private readonly waiting = new Set<() => void>();
  private used = 0;
  private reading = 0;

  /** Both in bytes. The documents that are being read take a quarter as much again at most. */
  constructor(limit: number, largestDocument: number) {
    this.limit = limit;
    this.readsAtOnce = Math.min(mostReads, Math.max(1, Math.floor(limit / 4 / largestDocument)));
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

  /** Whether no read begins until somebody has his answer. The rest of the room is kept from reads, or writers beside them would never get in. */
  get isFull(): boolean {
    return this.used >= this.limit * readable;
  }

  /** Counts bytes in, or out. */
  change(by: number): void {
    this.used += by;
    if (by < 0) this.letIn();
  }

  /** Begins a read. False if it has to wait, or others wait already. */
  beginRead(): boolean {
    return this.waiting.size === 0 && this.began();
  }

  /** Waits in the line until the read has begun. The answer leaves the line. */
  waitToRead(begun: () => void): () => void {
    this.waiting.add(begun);
    return () => void this.waiting.delete(begun);
  }

  /** A read has ended, and what it holds has been counted in. */
  endRead(): void {
    this.reading -= 1;
    this.letIn();
  }

  private began(): boolean {
    if (this.isFull || this.reading >= this.readsAtOnce) return false;
    this.reading += 1;
    return true;
  }

  /** In the order in which they came. */
  private letIn(): void {
    for (const begun of this.waiting) {
      if (!this.began()) return;
      this.waiting.delete(begun);
      begun();
    }
  }
}

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
    this.hold(bytes);
    return true;
  }

  /** The same whether there is room or not: for what is held already. */
  hold(bytes: number): void {
    if (this.returned) return; // as above
    const by = bytes - this.own;
    this.own = bytes;
    this.room.change(by);
  }

  /** Gives everything back, for good. */
  giveBack(): void {
    this.hold(0);
    this.returned = true;
  }
}
