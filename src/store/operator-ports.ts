import type { DiscardWrite, Placed } from "../domain/conversation/discard.ts";
import type { DrainTally } from "../domain/conversation/drain.ts";
import type { DrainQuery, DrainVerdict, Unjudged } from "../domain/conversation/drain-query.ts";
import type { Erased, EraseWrite } from "../domain/conversation/erase.ts";
import type { ActiveHold, FreezeWrite, Frozen } from "../domain/conversation/freeze.ts";
import type { Thawed, ThawWrite } from "../domain/conversation/thaw.ts";
import type { Outcome } from "../domain/outcome.ts";

/**
 * What operators ask of the store that remembers conversations. Every method throws StoreFault when the database cannot
 * say. Each write is one transaction of its own, decided in it by the domain, and answered when it is on disk.
 */
export interface OperatorStore {
  /** Answers FROZEN only when no issuance of the scope can commit any more, by whichever process. */
  freeze(write: FreezeWrite, until: number): Promise<Outcome<Frozen>>;

  /** Ends one hold and forgets what its drain counted. */
  thaw(write: ThawWrite, until: number): Promise<Outcome<Thawed>>;

  /** Marks a checkpoint as given up, and leaves a line in the audit. */
  discard(write: DiscardWrite, until: number): Promise<Outcome<Placed>>;

  /**
   * Removes threads with everything that names or holds them, some at a time, each time in one transaction with its line
   * in the audit. What was erased when it is interrupted stays erased; the same call goes on.
   */
  erase(write: EraseWrite, until: number): Promise<Outcome<Erased>>;

  /** The holds that are not thawed, the oldest first. */
  holds(): Promise<readonly ActiveHold[]>;

  /** One consistent read of a drain; undefined for a hold that never was or is thawed. */
  drain(query: DrainQuery): Promise<DrainTally | undefined>;

  /** Artifacts of a drain that are neither drained nor discarded, and not judged by these terms; at most so many. */
  unjudged(query: DrainQuery, limit: number): Promise<readonly Unjudged[]>;

  /** Keeps verdicts; what is gone meanwhile needs none. */
  keepVerdicts(verdicts: readonly DrainVerdict[], terms: string): Promise<void>;
}
