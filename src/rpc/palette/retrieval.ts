import { type Evidence, failedRetrieval } from "../../domain/palette/evidence.ts";
import type { SkillQuery, SkillRow } from "../../gen/fermata/palette/v1/palette_pb.ts";
import type { Call } from "../rpc.ts";

/** Asks the sidecar's skill store. */
export interface SkillStore {
  /** At most `query.limit` rows of the tenant, most relevant first. Ends early when the signal is aborted; throws whatever went wrong. */
  readonly search: (query: SkillQuery, signal: AbortSignal) => Promise<readonly SkillRow[]>;
  /** Told of everything that a search throws, since a bug in it must be seen and still does not fail the turn. */
  readonly report: (thrown: unknown) => void;
  readonly clock: () => number;
}

/** Retrieval may use half of the time that the caller waits: the other half is for an answer without it. */
const share = 0.5;

/**
 * The rows that the skill store finds, or the class of what it threw. The only catch outside transport: nothing that retrieval does may fail
 * a turn. A search that outlives its share of the deadline is left behind as `DeadlineExceeded`.
 */
export async function retrieve(store: SkillStore, query: SkillQuery, call: Call): Promise<Evidence> {
  const late = AbortSignal.timeout(Math.max(0, Math.floor((call.deadline - store.clock()) * share)));
  try {
    const search = store.search(query, AbortSignal.any([late, call.signal]));
    const rows = await Promise.race([search, whenLate(late)]);
    return rows === undefined ? failedRetrieval("DeadlineExceeded") : { kind: "rows", rows };
  } catch (thrown: unknown) {
    store.report(thrown);
    return failedRetrieval(classOf(thrown));
  }
}

function whenLate(late: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    late.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function classOf(thrown: unknown): string {
  return thrown instanceof Error && typeof thrown.name === "string" ? thrown.name : typeof thrown;
}
