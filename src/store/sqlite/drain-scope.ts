import { scopeParts } from "../../domain/conversation/freeze-scope.ts";
import type { HoldScope } from "../../domain/conversation/hold.ts";
import type { Connection } from "./connection.ts";
import { integer } from "./rows.ts";

/** The threads whose heads are counted: those after one row, up to and with another. */
export interface ThreadRange {
  readonly after: number;
  readonly last: number;
}

/** Every thread that there is. */
export const allThreads: ThreadRange = { after: 0, last: Number.MAX_SAFE_INTEGER };

/** Counts the heads of a scope into the drain of its hold, those of some threads. What it has counted before stays as it was. */
export function countHeads(connection: Connection, hold: bigint, part: ThreadRange & { scope: HoldScope }): number {
  const { tenantId, format } = scopeParts(part.scope);
  const { changes } = connection
    .statement(
      `INSERT OR IGNORE INTO drain_artifact (hold_id, checkpoint_row, counted)
       SELECT ?1, c.id, 'at_freeze'
       FROM (SELECT id, head_sequence FROM thread WHERE tenant_id = ?2 AND tenant_id <> '' AND id > ?4 AND id <= ?5
             UNION ALL SELECT id, head_sequence FROM thread WHERE ?2 = '' AND id > ?4 AND id <= ?5) t
       JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence
       WHERE ?3 = '' OR c.format = ?3`,
    )
    .run(hold, tenantId, format, BigInt(part.after), BigInt(part.last));
  if (tenantId !== "") countUnproved(connection, hold, { ...part, format });
  return Number(changes);
}

/** Heads of threads whose key proves no tenant: they might be of any tenant that a hold names. */
function countUnproved({ statement }: Connection, hold: bigint, part: ThreadRange & { format: string }): void {
  statement(
    `INSERT OR IGNORE INTO drain_artifact (hold_id, checkpoint_row, counted)
     SELECT ?1, c.id, 'unproved'
     FROM thread t JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence
     WHERE t.minted = 0 AND t.tenant_id = '' AND t.id > ?3 AND t.id <= ?4 AND (?2 = '' OR c.format = ?2)`,
  ).run(hold, part.format, BigInt(part.after), BigInt(part.last));
}

/** The row of a hold that is not thawed. */
export function activeHoldRow({ statement }: Connection, freezeId: string): bigint | undefined {
  const row = statement("SELECT id FROM freeze_hold WHERE freeze_id = ? AND state <> 'thawed'").get(freezeId);
  return row === undefined ? undefined : BigInt(integer(row, "id"));
}
