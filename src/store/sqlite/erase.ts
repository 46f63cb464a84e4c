import { type Erased, type EraseWrite, refuseErase } from "../../domain/conversation/erase.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { refuseMovedOn } from "./gate.ts";
import { integer } from "./rows.ts";
import { findBeside, findThread } from "./threads.ts";

/** How many threads go in one transaction: other writers wait meanwhile. */
const round = 200;

/** What one round came to. */
export interface EraseRound {
  readonly outcome: Outcome<Erased>;
  /** Where the erasure ends: threads that came after it began are another one's. */
  readonly last: number;
  readonly more: boolean;
}

/** One round of an erasure in one transaction, with its line in the audit; a dry run counts all in one. */
export function eraseSome(connection: Connection, write: EraseWrite, begun: number | undefined): EraseRound {
  return inTransaction(connection, () => {
    refuseMovedOn(connection);
    const last = begun ?? newestThread(connection);
    const chosen = choose(connection, write, last);
    if (chosen.kind === "refusal") return { outcome: chosen, last, more: false };
    const rows = chosen.value;
    const checkpoints = rows.reduce((sum, row) => sum + checkpointsOf(connection, row), 0);
    const erased = { threads: rows.length, checkpoints };
    if (!write.dryRun) eraseRows(connection, write, rows, erased);
    const more = !write.dryRun && write.what.by === "tenant" && rows.length === round;
    return { outcome: ok(erased), last, more };
  });
}

/** What was erased still stands in the log until it is written back and cut. Readers may hold that up: then a later one does it. */
export function forgetPages({ db }: Connection): void {
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

function eraseRows(connection: Connection, write: EraseWrite, rows: readonly number[], erased: Erased): void {
  for (const row of rows) eraseThread(connection, BigInt(row));
  if (write.what.by === "tenant") forgetTenant(connection, write.what.tenantId);
  const { actor, reason, now } = write;
  connection
    .statement(
      "INSERT INTO audit (action, actor, reason, threads, checkpoints, create_time) VALUES ('erase', ?, ?, ?, ?, ?)",
    )
    .run(actor, reason, BigInt(erased.threads), BigInt(erased.checkpoints), BigInt(now));
}

/** The rows that go in this round. A thread must be named as any reader has to name it. */
function choose(connection: Connection, { what, dryRun }: EraseWrite, last: number): Outcome<readonly number[]> {
  if (what.by === "tenant") return ok(ofTenant(connection, what.tenantId, { last, limit: dryRun ? -1 : round }));
  const thread = findThread(connection, what.target);
  const beside = findBeside(connection, what.target, thread);
  const refusal = refuseErase(what.claimedTenantId, { thread, beside });
  return refusal ?? ok(thread === undefined ? [] : [thread.rowId]);
}

/** Only threads that were there when it began: a host that goes on writing must not keep it going. */
function ofTenant(
  { statement }: Connection,
  tenantId: string,
  { last, limit }: { readonly last: number; readonly limit: number },
): readonly number[] {
  const rows = statement(
    "SELECT id FROM thread WHERE tenant_id = ? AND tenant_id <> '' AND id <= ? ORDER BY id LIMIT ?",
  ).all(tenantId, BigInt(last), BigInt(limit));
  return rows.map((row) => integer(row, "id"));
}

function eraseThread({ statement }: Connection, thread: bigint): void {
  statement(
    `UPDATE drain SET revision = revision + 1,
       erased = erased + (SELECT count(*) FROM checkpoint c JOIN drain_artifact a ON a.checkpoint_row = c.id
                          WHERE c.thread_id = ?1 AND a.hold_id = drain.hold_id
                            AND a.counted <> 'unproved' AND c.state <> 'retired'),
       erased_drained = erased_drained + (SELECT count(*) FROM checkpoint c JOIN drain_artifact a ON a.checkpoint_row = c.id
                          WHERE c.thread_id = ?1 AND a.hold_id = drain.hold_id
                            AND a.counted <> 'unproved' AND c.state = 'retired')`,
  ).run(thread);
  statement(
    `DELETE FROM drain_artifact WHERE hold_id IN (SELECT hold_id FROM drain)
       AND checkpoint_row IN (SELECT id FROM checkpoint WHERE thread_id = ?)`,
  ).run(thread);
  statement("DELETE FROM drain_verdict WHERE checkpoint_row IN (SELECT id FROM checkpoint WHERE thread_id = ?)").run(
    thread,
  );
  statement("DELETE FROM entry_seen WHERE thread_id = ?").run(thread);
  statement("DELETE FROM idempotency WHERE thread_id = ?").run(thread);
  statement("DELETE FROM chunk WHERE thread_id = ?").run(thread);
  statement("DELETE FROM attribution WHERE thread_id = ?").run(thread);
  statement("DELETE FROM legacy_key WHERE thread_id = ?").run(thread);
  statement("DELETE FROM checkpoint WHERE thread_id = ?").run(thread);
  statement("DELETE FROM thread WHERE id = ?").run(thread);
}

/** A hold that is thawed needs its tenant no more; one that is not still has to know whom it stops. */
function forgetTenant({ statement }: Connection, tenantId: string): void {
  statement("UPDATE freeze_hold SET tenant_id = '' WHERE tenant_id = ? AND state = 'thawed'").run(tenantId);
}

function checkpointsOf({ statement }: Connection, thread: number): number {
  const row = statement("SELECT count(*) AS count FROM checkpoint WHERE thread_id = ?").get(BigInt(thread)) ?? {};
  return integer(row, "count");
}

function newestThread({ statement }: Connection): number {
  return integer(statement("SELECT max(id) AS last FROM thread").get() ?? {}, "last");
}
