import type { Hold, HoldScope } from "../../domain/conversation/hold.ts";
import type { Connection } from "./connection.ts";
import { refuseUnservable } from "./migrate.ts";
import { integer, optional, type Row, text } from "./rows.ts";

/** All holds that are not thawed. A writer reads them once a batch, right after BEGIN IMMEDIATE, and never before. */
export function readHolds({ statement }: Connection): readonly Hold[] {
  const rows = statement(
    `SELECT freeze_id, scope_kind, tenant_id, format, create_time, freeze_time, epoch
     FROM freeze_hold WHERE state <> 'thawed' ORDER BY id`,
  ).all();
  return rows.map(holdOf);
}

/** Refuses a batch when a newer binary has moved the schema on, or a copy has sealed the store, since the start. */
export function refuseMovedOn({ statement }: Connection): void {
  const row = statement("SELECT min_binary, sealed_for FROM store_meta WHERE id = 1").get() ?? {};
  refuseUnservable({ minBinary: integer(row, "min_binary"), sealedFor: optional(row, "sealed_for", text) });
}

function holdOf(row: Row): Hold {
  return {
    freezeId: text(row, "freeze_id"),
    scope: scopeOf(row),
    createTime: integer(row, "create_time"),
    freezeTime: optional(row, "freeze_time", integer),
    epoch: optional(row, "epoch", integer),
  };
}

/** A kind that is none of ours closes the whole store: a gate that can't be read fails closed. */
function scopeOf(row: Row): HoldScope {
  const tenantId = text(row, "tenant_id");
  const format = text(row, "format");
  const kind = text(row, "scope_kind");
  if (kind === "format") return { kind, format };
  if (kind === "tenant") return { kind, tenantId };
  if (kind === "tenant_format") return { kind, tenantId, format };
  return { kind: "store" };
}
