import type { Identity } from "./identity.ts";

/** Who owns a key, and who says so. An empty session: the thread is found by its key only. */
export interface Attribution {
  readonly owner: Identity;
  readonly actor: string;
  readonly reason: string;
  readonly ticket: string;
  /** The tenant recorded before; empty for a first record. */
  readonly supersedes: string;
}

/** What is recorded of a key, and what stands in the way of recording more. */
export interface Recorded {
  /** The record that holds. */
  readonly newest: Attribution | undefined;
  /** Whether another thread is found by the identity that would be recorded. */
  readonly taken: boolean;
}
