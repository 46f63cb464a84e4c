import { StoreFault } from "./fault.ts";

/** What a watch asks and tells. */
export interface Watched {
  /** Throws a StoreFault while the store still can't do what it is for. */
  readonly prove: () => Promise<void>;
  readonly onLost: (fault: StoreFault) => void;
  readonly onBack: () => void;
}

/** Faults of a disk, which befall whoever writes next, too. The others are of one call, or pass by themselves. */
const lasting: ReadonlySet<string> = new Set(["full", "io", "read_only"]);

const proveEvery = 1_000;

/** Tells from what calls meet that an open store serves no more, and by proofs, which cost nothing while all is well, that it serves again. */
export class Watch {
  private readonly watched: Watched;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(watched: Watched) {
    this.watched = watched;
  }

  /** Does the work, and sees how it ends. */
  async over<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof StoreFault && lasting.has(thrown.fault)) this.lose(thrown);
      throw thrown;
    }
  }

  /** Ends the proofs. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private lose(fault: StoreFault): void {
    if (this.timer !== undefined || this.stopped) return;
    this.watched.onLost(fault);
    this.proveLater();
  }

  private proveLater(): void {
    this.timer = setTimeout(() => void this.prove(), proveEvery).unref();
  }

  private async prove(): Promise<void> {
    try {
      await this.watched.prove();
    } catch (thrown) {
      if (!(thrown instanceof StoreFault)) throw thrown;
      if (!this.stopped) this.proveLater();
      return;
    }
    this.timer = undefined;
    if (!this.stopped) this.watched.onBack();
  }
}
