import { scopeParts } from "../../domain/conversation/freeze-scope.ts";
import type { HoldScope } from "../../domain/conversation/hold.ts";
import type { Connection } from "./connection.ts";
import { countHeads } from "./drain-scope.ts";
import { integer, optional } from "./rows.ts";

/** How many threads are counted in one transaction: other writers wait meanwhile. */
const threadsAtOnce = 5000;

/**
 * Counts the next part of a scope's heads into the drain of a closing hold, in the order of their threads. Answers
 * whether that was the last part. A thread that comes into the scope meanwhile is counted by the write that brings it.
 */
export function countSome(connection: Connection, hold: bigint, scope: HoldScope): boolean {
  const { statement } = connection;
  statement("INSERT OR IGNORE INTO drain (hold_id) VALUES (?)").run(hold);
  const after = integer(statement("SELECT counted_to FROM drain WHERE hold_id = ?").get(hold) ?? {}, "counted_to");
  const newest = integer(statement("SELECT max(id) AS id FROM thread").get() ?? {}, "id");
  const last = edgeOf(connection, scopeParts(scope).tenantId, after) ?? newest;
  const counted = countHeads(connection, hold, { scope, after, last });
  statement("UPDATE freeze_hold SET at_freeze = coalesce(at_freeze, 0) + ? WHERE id = ?").run(BigInt(counted), hold);
  statement("UPDATE drain SET counted_to = ?, revision = revision + 1 WHERE hold_id = ?").run(BigInt(last), hold);
  return last >= newest;
}

/** The last thread of the next part; undefined where all that are left fit in one. Of a tenant's scope only its own and the unproved ones cost. */
function edgeOf({ statement }: Connection, tenantId: string, after: number): number | undefined {
  const row = statement(
    `SELECT min(id) AS id FROM (
       SELECT * FROM (SELECT id FROM thread WHERE ?1 = '' AND id > ?2 ORDER BY id LIMIT 1 OFFSET ?3)
       UNION ALL
       SELECT * FROM (SELECT id FROM thread WHERE tenant_id = ?1 AND tenant_id <> '' AND id > ?2
                      ORDER BY id LIMIT 1 OFFSET ?3)
       UNION ALL
       SELECT * FROM (SELECT id FROM thread WHERE ?1 <> '' AND minted = 0 AND tenant_id = '' AND id > ?2
                      ORDER BY id LIMIT 1 OFFSET ?3))`,
  ).get(tenantId, BigInt(after), BigInt(threadsAtOnce - 1));
  return row && optional(row, "id", integer);
}
