import { decideFreeze, type FreezeWrite, type Frozen, type KnownHold } from "../../domain/conversation/freeze.ts";
import { scopeKey, scopeParts } from "../../domain/conversation/freeze-scope.ts";
import { decideThaw, type Thawed, type ThawFacts, type ThawWrite } from "../../domain/conversation/thaw.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import type { Connection } from "./connection.ts";
import { countSome } from "./count-some.ts";
import { readHolds, scopeOf } from "./gate.ts";
import { integer, optional, type Row, text } from "./rows.ts";

/** What one transaction of a freeze came to: the answer, or that there is more to count. */
export type FreezeRound = { readonly kind: "answer"; readonly outcome: Outcome<Frozen> } | { readonly kind: "more" };

/**
 * One transaction of a freeze. The first one sets the hold, and with its commit the wall stands: whatever takes the one
 * write lock afterwards reads it. Each counts a part of the heads; the last marks the hold FROZEN. A hold that was thawed
 * or frozen between two of them is answered as it then stands.
 */
export function freezeSome(connection: Connection, write: FreezeWrite): FreezeRound {
  const key = scopeKey(write.scope);
  const decided = decideFreeze(write, {
    hold: knownHold(connection, write.freezeId),
    frozen: isFrozen(connection, key),
    epoch: epochOf(connection),
  });
  if (decided.kind === "refusal") return { kind: "answer", outcome: decided };
  const { kind, frozen } = decided.value;
  if (kind === "answered") return { kind: "answer", outcome: ok(frozen) };
  const hold = closingHold(connection, write, key);
  const complete = countSome(connection, hold, write.scope);
  if (complete) markFrozen(connection, hold, frozen);
  settleGate(connection, key);
  return complete ? { kind: "answer", outcome: ok(frozen) } : { kind: "more" };
}

/** Ends a hold; the gate of its scope is what the others leave. What its drain counted goes by and by. */
export function thaw(connection: Connection, write: ThawWrite): Outcome<Thawed> {
  const decided = decideThaw(write, thawFacts(connection, write));
  if (decided.kind === "refusal") return decided;
  const { kind, thawed } = decided.value;
  if (kind === "thaw") endHold(connection, write);
  return ok(thawed);
}

/** The row of the hold: a new one, or the one that an earlier call of this id has left closing. */
function closingHold(connection: Connection, write: FreezeWrite, key: string): bigint {
  const { tenantId, format } = scopeParts(write.scope);
  connection
    .statement(
      `INSERT INTO freeze_hold (freeze_id, scope, scope_kind, tenant_id, format, state, actor, reason, create_time)
       VALUES (?, ?, ?, ?, ?, 'closing', ?, ?, ?) ON CONFLICT (freeze_id) DO NOTHING`,
    )
    .run(write.freezeId, key, write.scope.kind, tenantId, format, write.actor, write.reason, BigInt(write.now));
  return BigInt(integer(holdRow(connection, write.freezeId) ?? {}, "id"));
}

function markFrozen({ statement }: Connection, hold: bigint, { epoch, freezeTime = 0 }: Frozen): void {
  statement("UPDATE store_meta SET epoch = ? WHERE id = 1").run(BigInt(epoch));
  statement("UPDATE freeze_hold SET state = 'frozen', freeze_time = ?, epoch = ? WHERE id = ?").run(
    BigInt(freezeTime),
    BigInt(epoch),
    hold,
  );
}

function endHold(connection: Connection, { freezeId, actor, reason, now }: ThawWrite): void {
  connection
    .statement(
      "UPDATE freeze_hold SET state = 'thawed', thaw_time = ?, thaw_actor = ?, thaw_reason = ? WHERE freeze_id = ?",
    )
    .run(BigInt(now), actor, reason, freezeId);
  settleGate(connection, text(holdRow(connection, freezeId) ?? {}, "scope"));
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
