import { decideFreeze, type FreezeWrite, type Frozen, type KnownHold } from "../../domain/conversation/freeze.ts";
import { scopeKey, scopeParts } from "../../domain/conversation/freeze-scope.ts";
import { decideThaw, type Thawed, type ThawFacts, type ThawWrite } from "../../domain/conversation/thaw.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import type { Connection } from "./connection.ts";
import { countHeads } from "./drain-scope.ts";
import { readHolds, scopeOf } from "./gate.ts";
import { integer, optional, type Row, text } from "./rows.ts";

/** Sets a hold in the transaction that has the one write lock: what commits after it has read it. */
export function freeze(connection: Connection, write: FreezeWrite): Outcome<Frozen> {
  const key = scopeKey(write.scope);
  const facts = {
    hold: knownHold(connection, write.freezeId),
    frozen: isFrozen(connection, key),
    epoch: epochOf(connection),
  };
  const decided = decideFreeze(write, facts);
  if (decided.kind === "refusal") return decided;
  const { kind, frozen } = decided.value;
  if (kind === "freeze") setHold(connection, write, { key, epoch: frozen.epoch });
  return ok(frozen);
}

/** Ends a hold; the gate of its scope is what the others leave. */
export function thaw(connection: Connection, write: ThawWrite): Outcome<Thawed> {
  const decided = decideThaw(write, thawFacts(connection, write));
  if (decided.kind === "refusal") return decided;
  const { kind, thawed } = decided.value;
  if (kind === "thaw") endHold(connection, write);
  return ok(thawed);
}

interface NewHold {
  readonly key: string;
  readonly epoch: number;
}

function setHold(connection: Connection, write: FreezeWrite, { key, epoch }: NewHold): void {
  const { statement } = connection;
  const { tenantId, format } = scopeParts(write.scope);
  const now = BigInt(write.now);
  statement("UPDATE store_meta SET epoch = ? WHERE id = 1").run(BigInt(epoch));
  statement(
    `INSERT INTO freeze_hold (freeze_id, scope, scope_kind, tenant_id, format, state, actor, reason, create_time)
     VALUES (?, ?, ?, ?, ?, 'closing', ?, ?, ?) ON CONFLICT (freeze_id) DO NOTHING`,
  ).run(write.freezeId, key, write.scope.kind, tenantId, format, write.actor, write.reason, now);
  const hold = BigInt(integer(holdRow(connection, write.freezeId) ?? {}, "id"));
  const atFreeze = countHeads(connection, hold, write.scope);
  statement("UPDATE freeze_hold SET state = 'frozen', freeze_time = ?, epoch = ?, at_freeze = ? WHERE id = ?").run(
    now,
    BigInt(epoch),
    BigInt(atFreeze),
    hold,
  );
  settleGate(connection, key);
}

function endHold(connection: Connection, { freezeId, actor, reason, now }: ThawWrite): void {
  const { statement } = connection;
  const row = holdRow(connection, freezeId) ?? {};
  const hold = BigInt(integer(row, "id"));
  statement("UPDATE freeze_hold SET state = 'thawed', thaw_time = ?, thaw_actor = ?, thaw_reason = ? WHERE id = ?").run(
    BigInt(now),
    actor,
    reason,
    hold,
  );
  statement("DELETE FROM drain_artifact WHERE hold_id = ?").run(hold);
  statement("DELETE FROM drain WHERE hold_id = ?").run(hold);
  statement("DELETE FROM drain_verdict WHERE NOT EXISTS (SELECT 1 FROM drain)").run();
  settleGate(connection, text(row, "scope"));
}

/** Any hold that is frozen freezes its scope; else one that is closing closes it; else it is open. */
function settleGate({ statement }: Connection, key: string): void {
  statement("DELETE FROM gate WHERE scope = ?").run(key);
  statement(
    `INSERT INTO gate (scope, state)
     SELECT scope, max(state) FROM freeze_hold WHERE scope = ? AND state <> 'thawed' GROUP BY scope`,
  ).run(key); // 'frozen' is the greater word of the two.
}

function thawFacts(connection: Connection, { freezeId }: ThawWrite): ThawFacts {
  const row = holdRow(connection, freezeId);
  const others = readHolds(connection).filter((hold) => hold.freezeId !== freezeId);
  const hold = row && { scope: scopeOf(row), thawed: text(row, "state") === "thawed" };
  return { hold, others, epoch: epochOf(connection) };
}

function holdRow({ statement }: Connection, freezeId: string): Row | undefined {
  return statement("SELECT * FROM freeze_hold WHERE freeze_id = ?").get(freezeId);
}

function knownHold(connection: Connection, freezeId: string): KnownHold | undefined {
  const row = holdRow(connection, freezeId);
  if (row === undefined) return undefined;
  const state = text(row, "state");
  return {
    scopeKey: text(row, "scope"),
    state: state === "thawed" || state === "frozen" ? state : "closing",
    freezeTime: optional(row, "freeze_time", integer),
    epoch: optional(row, "epoch", integer),
  };
}

function isFrozen({ statement }: Connection, key: string): boolean {
  return statement("SELECT 1 FROM gate WHERE scope = ? AND state = 'frozen'").get(key) !== undefined;
}

function epochOf({ statement }: Connection): number {
  return integer(statement("SELECT epoch FROM store_meta WHERE id = 1").get() ?? {}, "epoch");
}
