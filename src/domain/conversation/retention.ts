import type { Instant } from "./stored.ts";

/** How many of a thread's newest checkpoints keep their payload, whatever their age. */
export const keptPayloads = 20;

/** How long a payload stays after a newer checkpoint followed it: well over the longest replay of it. */
export const keptAfterSuccessor = 3_600_000;

/** How long the first answer of a write is given again. */
export const keptAnswers = 7 * 24 * 3_600_000;

/** How long a line of the audit stays: over a year, so that a yearly review sees every line. */
export const keptAudit = 400 * 24 * 3_600_000;

/** What the choice of payloads to drop knows of a checkpoint that still has one. */
export interface Payloaded {
  readonly rowId: number;
  readonly sequence: number;
  /** Active, and at a boundary when it was written. */
  readonly safe: boolean;
  readonly pinned: boolean;
  /** When the next checkpoint of the thread was written. */
  readonly succeededAt: Instant | undefined;
}

/**
 * The checkpoints of one thread whose payload may go. The head, pinned ones, the newest safe one, the last few and
 * what a reader may still be in the middle of keep it. Rows and lineage stay in any case.
 */
export function droppable(rows: readonly Payloaded[], head: number, now: Instant): readonly Payloaded[] {
  const newestSafe = Math.max(0, ...rows.filter(({ safe }) => safe).map(({ sequence }) => sequence));
  return rows.filter(({ sequence, pinned, succeededAt }) => {
    if (pinned || sequence === newestSafe || sequence > head - keptPayloads) return false;
    return succeededAt !== undefined && succeededAt < now - keptAfterSuccessor;
  });
}
