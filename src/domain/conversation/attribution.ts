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

/** The record as it will hold. A correction that names no session keeps the one recorded, and its sub-tenant unless it names one. */
export function keepingSession(record: Attribution, newest: Attribution | undefined): Attribution {
  const { owner, supersedes } = record;
  if (newest === undefined || supersedes === "" || owner.sessionId !== "") return record;
  const { subTenantId, sessionId } = newest.owner;
  return { ...record, owner: { ...owner, subTenantId: owner.subTenantId || subTenantId, sessionId } };
}

/** What is recorded of a key, and what stands in the way of recording more. */
export interface Recorded {
  /** The record that holds. */
  readonly newest: Attribution | undefined;
  /** Whether another thread is found by the identity that would be recorded. */
  readonly taken: boolean;
}
