import type { Counted } from "../../domain/conversation/drain-count.ts";
import type { Connection } from "./connection.ts";
import { activeHoldRow } from "./drain-scope.ts";
import { type Row, text } from "./rows.ts";

/** A number of every drain that has counted this checkpoint has changed. Costs one probe a hold. */
export function touchDrains({ statement }: Connection, checkpointId: string): void {
  statement(
    `UPDATE drain SET revision = revision + 1
     WHERE EXISTS (SELECT 1 FROM drain_artifact a
                   WHERE a.hold_id = drain.hold_id
                     AND a.checkpoint_row = (SELECT id FROM checkpoint WHERE checkpoint_id = ?))`,
  ).run(checkpointId);
}

/** Counts a head that was adopted into the drains of these holds. */
export function countAdopted(connection: Connection, checkpointId: string, counted: readonly Counted[]): void {
  for (const { freezeId, as } of counted) count(connection, { checkpointId, freezeId, as });
}

/**
 * Counts the head of a thread whose owner is proved now, and lets the thread go out of every drain that it only might
 * have belonged to. Where a replay has moved such a thread on since, its head is the replay's output and is not counted.
 */
export function countAttributed(
  connection: Connection,
  { thread, head }: { readonly thread: bigint; readonly head: string },
  counted: readonly Counted[],
): void {
  const unproved = unprovedOf(connection, thread);
  leaveUnproved(connection, thread);
  for (const { freezeId, as } of counted) {
    const was = unproved.filter((row) => text(row, "freeze_id") === freezeId);
    const moved = was.length > 0 && was.every((row) => text(row, "checkpoint_id") !== head);
    if (!moved) count(connection, { checkpointId: head, freezeId, as });
  }
}

/** The holds that have counted a checkpoint, in whichever way. */
export function holdsThatCounted({ statement }: Connection, checkpointId: string): readonly string[] {
  const rows = statement(
    `SELECT h.freeze_id FROM freeze_hold h JOIN drain d ON d.hold_id = h.id
     JOIN drain_artifact a ON a.hold_id = d.hold_id
      AND a.checkpoint_row = (SELECT id FROM checkpoint WHERE checkpoint_id = ?)`,
  ).all(checkpointId);
  return rows.map((row) => text(row, "freeze_id"));
}

interface Count extends Counted {
  readonly checkpointId: string;
}

function count(connection: Connection, { checkpointId, freezeId, as }: Count): void {
  const hold = activeHoldRow(connection, freezeId);
  if (hold === undefined) return;
  const { statement } = connection;
  const { changes } = statement(
    `INSERT OR IGNORE INTO drain_artifact (hold_id, checkpoint_row, counted)
     SELECT ?1, id, ?2 FROM checkpoint WHERE checkpoint_id = ?3 AND EXISTS (SELECT 1 FROM drain WHERE hold_id = ?1)`,
  ).run(hold, as, checkpointId);
  const since = as === "since" ? BigInt(changes) : 0n;
  statement("UPDATE drain SET revision = revision + 1, adopted_since = adopted_since + ? WHERE hold_id = ?").run(
    since,
    hold,
  );
}

function unprovedOf({ statement }: Connection, thread: bigint): readonly Row[] {
  return statement(
    `SELECT h.freeze_id, c.checkpoint_id FROM drain d JOIN freeze_hold h ON h.id = d.hold_id
     JOIN checkpoint c ON c.thread_id = ?
     JOIN drain_artifact a ON a.hold_id = d.hold_id AND a.checkpoint_row = c.id
     WHERE a.counted = 'unproved'`,
  ).all(thread);
}

function leaveUnproved({ statement }: Connection, thread: bigint): void {
  statement(
    `UPDATE drain SET revision = revision + 1
     WHERE EXISTS (SELECT 1 FROM checkpoint c JOIN drain_artifact a ON a.checkpoint_row = c.id
                   WHERE c.thread_id = ? AND a.hold_id = drain.hold_id AND a.counted = 'unproved')`,
  ).run(thread);
  statement(
    `DELETE FROM drain_artifact WHERE counted = 'unproved' AND hold_id IN (SELECT hold_id FROM drain)
       AND checkpoint_row IN (SELECT id FROM checkpoint WHERE thread_id = ?)`,
  ).run(thread);
}
