import { decide, type Write } from "../../domain/conversation/decide.ts";
import type { Hold } from "../../domain/conversation/hold.ts";
import { type Written, written } from "../../domain/conversation/write.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import type { CutPayload } from "../ports.ts";
import { applyChange, type Cargo } from "./apply.ts";
import { beginImmediate, type Connection, rollback } from "./connection.ts";
import { lookUpEntries } from "./entry-times.ts";
import { readFacts } from "./facts.ts";
import { asFault, isOfTheMachine } from "./faults.ts";
import { readHolds, refuseMovedOn } from "./gate.ts";
import { findTarget } from "./threads.ts";

/** One write as it waits for a batch. */
export interface Waiting {
  readonly write: Write;
  readonly payload: CutPayload;
}

/** What became of one write of a batch: its outcome, or what it alone threw. */
export type Result = { readonly outcome: Outcome<Written> } | { readonly thrown: unknown };

/**
 * Group commit: all writes in one transaction, each in a savepoint of its own, so that a bug in one undoes that one
 * only. Returns when the batch is on disk. Throws when none of it can be acknowledged: a fault of the machine.
 */
export function commitBatch(connection: Connection, batch: readonly Waiting[]): readonly Result[] {
  try {
    const ready = prepareAll(connection, batch);
    beginImmediate(connection);
    refuseMovedOn(connection);
    const holds = readHolds(connection);
    const results = ready.map((one) => ("write" in one ? decideOne(connection, one, holds) : one));
    connection.statement("COMMIT").run();
    return results;
  } catch (thrown) {
    rollback(connection);
    throw asFault(thrown);
  }
}

interface Ready {
  readonly write: Write;
  readonly cargo: Cargo;
}

/** In one read: thousands of entries are looked up, and a read of its own for each would cost more than the looking. */
function prepareAll(connection: Connection, batch: readonly Waiting[]): readonly (Ready | Result)[] {
  connection.statement("BEGIN").run();
  const ready = batch.map((waiting) => prepare(connection, waiting));
  connection.statement("COMMIT").run();
  return ready;
}

/** What can be looked up before the write lock is taken. */
function prepare(connection: Connection, { write, payload }: Waiting): Ready | Result {
  try {
    const thread = payload.entries.length === 0 ? undefined : findTarget(connection, write.target);
    return { write, cargo: { payload, looked: lookUpEntries(connection, thread?.rowId, payload.entries) } };
  } catch (thrown) {
    if (isOfTheMachine(thrown)) throw thrown;
    return { thrown: asFault(thrown) };
  }
}

function decideOne(connection: Connection, { write, cargo }: Ready, holds: readonly Hold[]): Result {
  connection.statement("SAVEPOINT one").run();
  try {
    const { facts, thread } = readFacts(connection, write, holds);
    const decided = decide(write, facts);
    if (decided.kind === "ok") applyChange(connection, decided.value, thread, cargo);
    connection.statement("RELEASE one").run();
    return { outcome: decided.kind === "ok" ? ok(written(decided.value)) : decided };
  } catch (thrown) {
    if (isOfTheMachine(thrown) || !connection.db.isTransaction) throw thrown;
    connection.statement("ROLLBACK TO one").run();
    connection.statement("RELEASE one").run();
    return { thrown: asFault(thrown) };
  }
}
