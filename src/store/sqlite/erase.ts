import { type Erased, type EraseWrite, refuseErase } from "../../domain/conversation/erase.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { refuseMovedOn } from "./gate.ts";
import { integer } from "./rows.ts";
import { findBeside, findThread } from "./threads.ts";

/** How many threads go in one transaction: other writers wait meanwhile. */
const round = 200;

/** Erases, or counts for a dry run. Several transactions for a tenant with many threads; each leaves its line in the audit. */
export function erase(connection: Connection, write: EraseWrite): Outcome<Erased> {
  const last = newestThread(connection);
  const total = { threads: 0, checkpoints: 0 };
  for (;;) {
    const erased = inTransaction(connection, () => eraseRound(connection, write, last));
    if (erased.kind === "refusal") return total.threads > 0 ? ok(total) : erased;
    total.threads += erased.value.threads;
    total.checkpoints += erased.value.checkpoints;
    if (write.dryRun || write.what.by === "thread" || erased.value.threads < round) break;
  }
  if (!write.dryRun) forgetPages(connection);
  return ok(total);
}

function eraseRound(connection: Connection, write: EraseWrite, last: number): Outcome<Erased> {
  refuseMovedOn(connection);
  const threads = chosen(connection, write, last);
  if (threads.kind === "refusal") return threads;
  const rows = threads.value;
  const erased = {
    threads: rows.length,
    checkpoints: rows.reduce((sum, row) => sum + checkpointsOf(connection, row), 0),
  };
  if (write.dryRun) return ok(erased);
  for (const row of rows) eraseThread(connection, BigInt(row));
  if (write.what.by === "tenant") forgetTenant(connection, write.what.tenantId);
  const { actor, reason, now } = write;
  connection
    .statement(
      "INSERT INTO audit (action, actor, reason, threads, checkpoints, create_time) VALUES ('erase', ?, ?, ?, ?, ?)",
    )
    .run(actor, reason, BigInt(erased.threads), BigInt(erased.checkpoints), BigInt(now));
  return ok(erased);
}

/** The rows that go in this round. A thread must be named as any reader has to name it. */
function chosen(connection: Connection, { what, dryRun }: EraseWrite, last: number): Outcome<readonly number[]> {
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

/** What was erased still stands in the log until it is written back and cut. Readers may hold that up: then a later one does it. */
function forgetPages({ db }: Connection): void {
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}
