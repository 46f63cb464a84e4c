import type { Connection } from "./connection.ts";
import { integer } from "./rows.ts";

/** How many rows go in one transaction: other writers wait meanwhile. */
const rowsAtOnce = 5000;

/**
 * Forgets a part of what the drains of thawed holds have counted. Nobody reads a drain without its hold, so it does not
 * matter when. Answers whether there may be more.
 */
export function forgetDrains({ statement }: Connection): boolean {
  const thawed = statement(
    "SELECT d.hold_id FROM drain d JOIN freeze_hold h ON h.id = d.hold_id WHERE h.state = 'thawed' LIMIT 1",
  ).get();
  if (thawed === undefined) return false;
  const hold = BigInt(integer(thawed, "hold_id"));
  const { changes } = statement(
    `DELETE FROM drain_artifact WHERE hold_id = ?1 AND checkpoint_row IN
       (SELECT checkpoint_row FROM drain_artifact WHERE hold_id = ?1 LIMIT ?2)`,
  ).run(hold, BigInt(rowsAtOnce));
  if (Number(changes) < rowsAtOnce) statement("DELETE FROM drain WHERE hold_id = ?").run(hold);
  return true;
}

/** Forgets a part of the verdicts when there is no drain left to need them. Answers whether there may be more. */
export function forgetVerdicts({ statement }: Connection): boolean {
  const { changes } = statement(
    `DELETE FROM drain_verdict WHERE NOT EXISTS (SELECT 1 FROM drain) AND checkpoint_row IN
       (SELECT checkpoint_row FROM drain_verdict LIMIT ?)`,
  ).run(BigInt(rowsAtOnce));
  return Number(changes) === rowsAtOnce;
}
