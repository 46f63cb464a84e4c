import type { ActiveGroup, DrainTally, Sampled } from "../../domain/conversation/drain.ts";
import type { DrainQuery, Unjudged } from "../../domain/conversation/drain-query.ts";
import { scopeParts } from "../../domain/conversation/freeze-scope.ts";
import type { Connection } from "./connection.ts";
import { activeHoldRow } from "./drain-scope.ts";
import { integer, optional, type Row, text } from "./rows.ts";

/** One consistent read of a drain, or of what would be one. Runs in one read transaction. */
export function readDrain(connection: Connection, query: DrainQuery): DrainTally | undefined {
  const place = placeOf(connection, query);
  if (place === undefined) return undefined;
  const groups = groupsOf(connection, place, query.terms);
  const counters = place.hold === 0n ? previewOf(groups) : countersOf(connection, place.hold);
  return {
    freezeId: query.of.by === "hold" ? query.of.freezeId : "",
    ...counters,
    drained: sum(groups, "retired") + counters.erasedDrained,
    discarded: sum(groups, "discarded") + counters.erased,
    active: groups.filter(({ state }) => state !== "retired" && state !== "discarded"),
    quarantined: place.tenantId === "" ? { count: 0, checkpointIds: [] } : quarantinedOf(connection, place),
  };
}

/** Artifacts that are still to be judged. What is lost of them stays unjudged for ever, and never counts as done. */
export function readUnjudged(connection: Connection, query: DrainQuery, limit: number): readonly Unjudged[] {
  const place = placeOf(connection, query);
  if (place === undefined) return [];
  const rows = connection
    .statement(
      `SELECT t.thread_key, c.checkpoint_id
       FROM (SELECT checkpoint_row AS row FROM drain_artifact WHERE hold_id = ?1 AND counted <> 'unproved'
             UNION ALL
             SELECT c.id FROM (SELECT id, head_sequence FROM thread WHERE ?1 = 0 AND tenant_id = ?2 AND tenant_id <> ''
                               UNION ALL SELECT id, head_sequence FROM thread WHERE ?1 = 0 AND ?2 = '') t
             JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence WHERE ?3 = '' OR c.format = ?3) a
       JOIN checkpoint c ON c.id = a.row JOIN thread t ON t.id = c.thread_id
       LEFT JOIN drain_verdict v ON v.checkpoint_row = a.row AND v.terms = ?4
       WHERE v.leaf IS NULL AND c.state NOT IN ('retired', 'discarded') LIMIT ?5`,
    )
    .all(place.hold, place.tenantId, place.format, query.terms, BigInt(limit));
  return rows.map((row) => ({ threadKey: text(row, "thread_key"), checkpointId: text(row, "checkpoint_id") }));
}

/** A hold's row, or 0 and the scope of a preview. */
interface Place {
  readonly hold: bigint;
  readonly tenantId: string;
  readonly format: string;
}

interface Group extends ActiveGroup {
  readonly state: string;
}

interface Counters extends Pick<DrainTally, "frozen" | "atFreeze" | "adoptedSince" | "revision"> {
  readonly erased: number;
  readonly erasedDrained: number;
}

function placeOf(connection: Connection, { of }: DrainQuery): Place | undefined {
  if (of.by === "scope") return { hold: 0n, ...scopeParts(of.scope) };
  const hold = activeHoldRow(connection, of.freezeId);
  if (hold === undefined) return undefined;
  const row = connection.statement("SELECT tenant_id, format FROM freeze_hold WHERE id = ?").get(hold) ?? {};
  return { hold, tenantId: text(row, "tenant_id"), format: text(row, "format") };
}

const sampled = 20;

/** By state, format and verdict. A row that is lost has no state, and stays in the sum as something to be moved. */
function groupsOf({ statement }: Connection, { hold, tenantId, format }: Place, terms: string): readonly Group[] {
  const rows = statement(
    `SELECT state, format, leaf, count(*) AS count,
            json_group_array(checkpoint_id) FILTER (WHERE rank <= ?5) AS ids
     FROM (SELECT coalesce(c.state, '') AS state, coalesce(c.format, '') AS format, v.leaf, c.checkpoint_id,
                  row_number() OVER (PARTITION BY c.state, c.format, v.leaf ORDER BY a.row) AS rank
           FROM (SELECT checkpoint_row AS row FROM drain_artifact WHERE hold_id = ?1 AND counted <> 'unproved'
                 UNION ALL
                 SELECT c.id FROM (SELECT id, head_sequence FROM thread WHERE ?1 = 0 AND tenant_id = ?2 AND tenant_id <> ''
                                   UNION ALL SELECT id, head_sequence FROM thread WHERE ?1 = 0 AND ?2 = '') t
                 JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence WHERE ?3 = '' OR c.format = ?3) a
           LEFT JOIN checkpoint c ON c.id = a.row
           LEFT JOIN drain_verdict v ON v.checkpoint_row = a.row AND v.terms = ?4)
     GROUP BY state, format, leaf`,
  ).all(hold, tenantId, format, terms, BigInt(sampled));
  return rows.map((row) => ({ ...sampleOf(row), ...groupOf(row) }));
}

function groupOf(row: Row): Omit<Group, keyof Sampled> {
  return { state: text(row, "state"), format: text(row, "format"), leaf: optional(row, "leaf", text) };
}

function sampleOf(row: Row): Sampled {
  const ids: unknown = JSON.parse(text(row, "ids") || "[]");
  return {
    count: integer(row, "count"),
    checkpointIds: Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [],
  };
}

function countersOf({ statement }: Connection, hold: bigint): Counters {
  const row =
    statement(
      `SELECT h.state, h.at_freeze, d.adopted_since, d.erased, d.erased_drained, d.revision
       FROM freeze_hold h LEFT JOIN drain d ON d.hold_id = h.id WHERE h.id = ?`,
    ).get(hold) ?? {};
  return {
    frozen: text(row, "state") === "frozen",
    atFreeze: integer(row, "at_freeze"),
    adoptedSince: integer(row, "adopted_since"),
    erased: integer(row, "erased"),
    erasedDrained: integer(row, "erased_drained"),
    revision: integer(row, "revision"),
  };
}

function previewOf(groups: readonly Group[]): Counters {
  const atFreeze = groups.reduce((all, { count }) => all + count, 0);
  return { frozen: false, atFreeze, adoptedSince: 0, erased: 0, erasedDrained: 0, revision: 1 };
}

function sum(groups: readonly Group[], state: string): number {
  return groups.filter((group) => group.state === state).reduce((all, { count }) => all + count, 0);
}

/** What a replay has moved on or an operator has given up waits for nobody, whoever's it was. */
function quarantinedOf({ statement }: Connection, { hold, format }: Place): Sampled {
  const row =
    statement(
      `SELECT count(*) AS count, json_group_array(checkpoint_id) FILTER (WHERE rank <= ?3) AS ids
       FROM (SELECT c.checkpoint_id, row_number() OVER (ORDER BY a.row) AS rank
             FROM (SELECT checkpoint_row AS row FROM drain_artifact WHERE hold_id = ?1 AND counted = 'unproved'
                   UNION ALL
                   SELECT c.id FROM thread t JOIN checkpoint c ON c.thread_id = t.id AND c.sequence = t.head_sequence
                   WHERE ?1 = 0 AND t.minted = 0 AND t.tenant_id = '' AND (?2 = '' OR c.format = ?2)) a
             LEFT JOIN checkpoint c ON c.id = a.row
             WHERE coalesce(c.state, '') NOT IN ('retired', 'discarded'))`,
    ).get(hold, format, BigInt(sampled)) ?? {};
  return sampleOf(row);
}
