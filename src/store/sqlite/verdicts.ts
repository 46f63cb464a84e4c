import type { DrainVerdict } from "../../domain/conversation/drain-query.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { touchDrains } from "./drain-artifacts.ts";

/** Keeps what was judged off the lock. A checkpoint that is gone meanwhile keeps nothing. */
export function keepVerdicts(connection: Connection, verdicts: readonly DrainVerdict[], terms: string): void {
  const keep = connection.statement(
    `INSERT OR REPLACE INTO drain_verdict (checkpoint_row, terms, leaf)
     SELECT id, ?, ? FROM checkpoint WHERE checkpoint_id = ?`,
  );
  inTransaction(connection, () => {
    for (const { checkpointId, leaf } of verdicts) {
      keep.run(terms, leaf, checkpointId);
      touchDrains(connection, checkpointId);
    }
  });
}
