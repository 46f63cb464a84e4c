import { UnsafeBoundary_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";

/** The one cause of an entry that shows two: the one that stands first in the order of the boundary rules. */
export function worse(one: Cause | undefined, other: Cause | undefined): Cause | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  return rank(one) <= rank(other) ? one : other;
}

function rank(cause: Cause): number {
  return ORDER.indexOf(cause);
}

const ORDER: readonly Cause[] = [
  Cause.SUBGRAPH_IN_FLIGHT,
  Cause.PENDING_INTERRUPT,
  Cause.TASK_ERROR,
  Cause.TASKS_SCHEDULED,
  Cause.PARTIAL_STREAM,
  Cause.PROVIDER_SUSPENDED,
  Cause.THINKING_UNFINISHED,
  Cause.THINKING_NOT_VERBATIM,
  Cause.ORPHAN_REASONING,
  Cause.PENDING_APPROVAL,
  Cause.DUPLICATE_TOOL_RESULT,
  Cause.ORPHAN_TOOL_RESULT,
  Cause.PARALLEL_HALF_ANSWERED,
  Cause.DANGLING_TOOL_CALL,
  Cause.NO_TESTED_BOUNDARY,
];
