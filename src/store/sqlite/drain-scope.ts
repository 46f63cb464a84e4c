import { scopeParts } from "../../domain/conversation/freeze-scope.ts";
import type { HoldScope } from "../../domain/conversation/hold.ts";
import type { Connection } from "./connection.ts";
import { integer } from "./rows.ts";

/** Counts the heads of a scope into the drain of its hold, under the lock that nothing commits beside. Answers how many. */
export function countHeads({ statement }: Connection, hold: bigint, scope: HoldScope): number {
  const { tenantId, format } = scopeParts(scope);
  statement("INSERT OR IGNORE INTO drain (hold_id) VALUES (?)").run(hold);
  const { changes } = statement(
    `INSERT OR IGNORE INTO drain_artifact (hold_id, checkpoint_row, counted)
     SELECT ?1, c.id, 'at_freeze'
     FROM (SELECT id, head_sequence FROM thread WHERE tenant_id = ?2 AND tenant_id <> ''
           UNION ALL SELECT id, head_sequence FROM thread WHERE ?2 = '') t
     JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence
     WHERE ?3 = '' OR c.format = ?3`,
  ).run(hold, tenantId, format);
  if (tenantId !== "") countUnproved({ statement }, hold, format);
  return Number(changes);
}

/** Heads of threads whose key proves no tenant: they might be of any tenant that a hold names. */
function countUnproved({ statement }: Pick<Connection, "statement">, hold: bigint, format: string): void {
  statement(
    `INSERT OR IGNORE INTO drain_artifact (hold_id, checkpoint_row, counted)
     SELECT ?1, c.id, 'unproved'
     FROM thread t JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence
     WHERE t.minted = 0 AND t.tenant_id = '' AND (?2 = '' OR c.format = ?2)`,
  ).run(hold, format);
}

/** The row of a hold that is not thawed. */
export function activeHoldRow({ statement }: Connection, freezeId: string): bigint | undefined {
  const row = statement("SELECT id FROM freeze_hold WHERE freeze_id = ? AND state <> 'thawed'").get(freezeId);
  return row === undefined ? undefined : BigInt(integer(row, "id"));
}
