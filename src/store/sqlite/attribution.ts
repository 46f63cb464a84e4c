import type { AttributeWrite } from "../../domain/conversation/attribute.ts";
import { type Attribution, keepingSession, type Recorded } from "../../domain/conversation/attribution.ts";
import type { Attribute } from "../../domain/conversation/write.ts";
import type { ThreadRow } from "./checkpoint-row.ts";
import type { Connection } from "./connection.ts";
import { type Row, text } from "./rows.ts";

/** What is recorded of a thread's owner, and whether the identity of a new record is another thread's already. */
export function recordedOf(connection: Connection, { record }: AttributeWrite, thread: ThreadRow): Recorded {
  const row = connection
    .statement("SELECT * FROM attribution WHERE thread_id = ? ORDER BY id DESC LIMIT 1")
    .get(BigInt(thread.rowId));
  const newest = row && attributionOf(row);
  const { tenantId, subTenantId, sessionId } = keepingSession(record, newest).owner;
  const other = connection
    .statement(
      `SELECT 1 FROM thread
       WHERE tenant_id = ? AND sub_tenant_id = ? AND session_id = ? AND session_id <> '' AND id <> ?`,
    )
    .get(tenantId, subTenantId, sessionId, BigInt(thread.rowId));
  return { newest, taken: other !== undefined };
}

/** Appends the record, lets the thread be found by it, and leaves a line in the audit that does not say whose it is. */
export function recordAttribution({ statement }: Connection, { record, now }: Attribute, thread: ThreadRow): void {
  const { owner, actor, reason, ticket, supersedes } = record;
  const row = BigInt(thread.rowId);
  const identity = [owner.tenantId, owner.subTenantId, owner.sessionId] as const;
  statement(
    `INSERT INTO attribution (thread_id, tenant_id, sub_tenant_id, session_id, actor, reason, ticket, supersedes, create_time)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(row, ...identity, actor, reason, ticket, supersedes, BigInt(now));
  statement("UPDATE thread SET tenant_id = ?, sub_tenant_id = ?, session_id = ? WHERE id = ?").run(...identity, row);
  statement(
    `INSERT INTO audit (action, actor, reason, threads, checkpoints, create_time)
     SELECT 'attribute', ?, ?, 1, count(*), ? FROM checkpoint WHERE thread_id = ?`,
  ).run(actor, reason, BigInt(now), row);
}

function attributionOf(row: Row): Attribution {
  const subTenantId = text(row, "sub_tenant_id");
  return {
    owner: { tenantId: text(row, "tenant_id"), subTenantId, sessionId: text(row, "session_id") },
    actor: text(row, "actor"),
    reason: text(row, "reason"),
    ticket: text(row, "ticket"),
    supersedes: text(row, "supersedes"),
  };
}
