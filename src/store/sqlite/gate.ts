import type { ActiveHold } from "../../domain/conversation/freeze.ts";
import type { Hold, HoldScope } from "../../domain/conversation/hold.ts";
import { StoreFault } from "../fault.ts";
import type { Connection } from "./connection.ts";
import { isOfTheMachine } from "./faults.ts";
import { integer, optional, type Row, text } from "./rows.ts";
import { refuseUnservable } from "./store-meta.ts";

/**
 * All holds that are not thawed. A writer reads them once a batch, right after BEGIN IMMEDIATE, and never before. A gate
 * that can't be read fails closed: whatever is wrong with it is a fault of the store.
 */
export function readHolds(connection: Connection): readonly Hold[] {
  return holdRows(connection).map(holdOf);
}

/** The same with who set each, for operators; the oldest first. */
export function readActiveHolds(connection: Connection): readonly ActiveHold[] {
  const holds = holdRows(connection).map((row) => ({
    ...holdOf(row),
    actor: text(row, "actor"),
    reason: text(row, "reason"),
  }));
  return holds.toSorted((one, other) => one.createTime - other.createTime);
}

function holdRows({ statement }: Connection): readonly Row[] {
  try {
    return statement(
      `SELECT freeze_id, scope_kind, tenant_id, format, actor, reason, create_time, freeze_time, epoch
       FROM freeze_hold WHERE state <> 'thawed' ORDER BY id`,
    ).all();
  } catch (thrown) {
    if (isOfTheMachine(thrown)) throw thrown;
    throw new StoreFault("corrupt", "the gate can't be read", { cause: thrown });
  }
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
export function scopeOf(row: Row): HoldScope {
  const tenantId = text(row, "tenant_id");
  const format = text(row, "format");
  const kind = text(row, "scope_kind");
  if (kind === "format") return { kind, format };
  if (kind === "tenant") return { kind, tenantId };
  if (kind === "tenant_format") return { kind, tenantId, format };
  return { kind: "store" };
}
