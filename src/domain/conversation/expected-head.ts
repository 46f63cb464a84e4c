import { type Refusal, refuse } from "../outcome.ts";
import type { StoredThread } from "./stored.ts";
import type { Facts } from "./write-facts.ts";

/**
 * Refuses a head that this thread never had: not a conflict but a wrong id. The id of another thread's checkpoint is
 * answered like one that never was, or a caller could find out what others have.
 */
export function headUnknown(
  expectedHead: string | undefined,
  { hadExpectedHead }: Pick<Facts, "hadExpectedHead">,
): Refusal | undefined {
  if (expectedHead === undefined || hadExpectedHead) return undefined;
  return refuse("checkpointNotFound", { checkpointId: expectedHead });
}

/** One of those who build on a head wins; the others are told the actual one. A thread that is not there has none to tell. */
export function headConflict(expectedHead: string | undefined, thread: StoredThread | undefined): Refusal | undefined {
  if (thread === undefined || expectedHead === thread.head.checkpointId) return undefined;
  return conflict(expectedHead, thread);
}

/** The refusal that names the actual head, also of a write that would not have built on the head it expected. */
export function conflict(expectedHead: string | undefined, { head }: StoredThread): Refusal {
  return refuse("headConflict", {
    expectedHead: expectedHead ?? "",
    actualHead: head.checkpointId,
    actualSequence: BigInt(head.sequence),
  });
}
