import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListQuery } from "../../src/store/ports.ts";
import { type Connection, openForReading, openForWriting } from "../../src/store/sqlite/connection.ts";
import { list } from "../../src/store/sqlite/list.ts";
import { freezeRound } from "../../src/store/sqlite/operate.ts";
import { databaseOf, makeLargeStore } from "./large-store.ts";

const root = mkdtempSync(join(tmpdir(), "fermata-pages-"));
const folder = join(root, "store");
let connection: Connection;

beforeAll(async () => {
  await makeLargeStore(folder, 2000);
  const writing = openForWriting(databaseOf(folder));
  freezeRound(
    writing,
    { kind: "freeze", freezeId: "f", scope: { kind: "store" }, actor: "op", reason: "r", now: 1 },
    Number.MAX_SAFE_INTEGER,
  );
  writing.db.close();
  connection = openForReading(databaseOf(folder));
});
afterAll(() => {
  connection.db.close();
  rmSync(root, { recursive: true });
});

const remaining = { by: "remaining", freezeId: "f", expired: [], terms: "t" } as const;

describe("a page of checkpoints", () => {
  it.each<{ of: ListQuery["of"]; index: string }>([
    { of: { by: "thread", thread: { by: "key", key: "k7" } }, index: "sqlite_autoindex_checkpoint_3" },
    { of: { by: "tenant", tenantId: "t7" }, index: "PRIMARY KEY" },
    { of: { by: "format", format: "langgraph/3" }, index: "checkpoint_format" },
    { of: remaining, index: "PRIMARY KEY" },
  ])("by $of.by is read in the order of an index and never sorted", ({ of, index }) => {
    const plan = planOf({ of, after: 1, limit: 10 });
    expect(plan).toContain(index);
    expect(plan).not.toContain("TEMP B-TREE");
    expect(plan).not.toMatch(/SCAN (?!value|json_each)/);
  });

  it.each<{ of: ListQuery["of"]; count: number }>([
    { of: { by: "thread", thread: { by: "key", key: "k7" } }, count: 2 },
    { of: { by: "tenant", tenantId: "t7" }, count: 400 },
    { of: { by: "format", format: "langgraph/3" }, count: 1000 },
    { of: remaining, count: 2000 },
  ])("by $of.by follows the one before without a gap or a repeat", ({ of, count }) => {
    const seen: string[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = list(connection, { of, after, limit: 37 });
      if (page.kind !== "page") throw new Error(page.kind);
      seen.push(...page.rows.map(({ checkpoint }) => checkpoint.header.checkpointId));
      after = page.next;
    }
    expect([seen.length, new Set(seen).size]).toEqual([count, count]);
  });
});

/** How SQLite runs the last statement of a listing, which is the one that reads the page. */
function planOf(query: ListQuery): string {
  const sent: string[] = [];
  const spied = { ...connection, statement: (sql: string) => connection.statement(sent[sent.push(sql) - 1] ?? sql) };
  list(spied, query);
  const rows = connection.db.prepare(`EXPLAIN QUERY PLAN ${sent.at(-1)}`).all();
  return rows.map(({ detail }) => String(detail)).join("\n");
}
