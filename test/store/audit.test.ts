import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConversationStore } from "../../src/store/ports.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { acknowledged, adoptOn, attributeOn } from "./writes.ts";

const folder = mkdtempSync(join(tmpdir(), "fermata-audit-"));
const far = Number.MAX_SAFE_INTEGER;
const day = 24 * 3_600_000;
const start = 1_700_000_000_000; // When `attributeOn` records, too.
let now = start;
let store: ConversationStore;

beforeAll(async () => {
  const options = { separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: () => now };
  store = (await openSqlite({ folder, ...options })).store;
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

it("says who, why and how many of each discard, attribution and erasure, never whose, for 400 days", async () => {
  const by = { actor: "op", reason: "a ticket" };
  const checkpointId = await acknowledged(store, { tenant: "acme", session: "s" });
  await store.discard({ kind: "discard", checkpointId, ...by, now: start }, far);
  await adoptOn(store, { key: "acme:_:a:b" });
  await attributeOn(store, "acme:_:a:b", { tenantId: "acme", subTenantId: "", sessionId: "" });
  const what = { by: "tenant", tenantId: "acme" } as const;
  await store.erase({ kind: "erase", what, ...by, now: start + day, dryRun: false }, far);
  const one = { ...by, threads: 1, checkpoints: 1, create_time: start };
  const erased = { action: "erase", ...by, threads: 2, checkpoints: 2, create_time: start + day };
  expect(audit()).toEqual([{ action: "discard", ...one }, { action: "attribute", ...one }, erased]);
  now = start + 400 * day;
  await store.prune();
  expect(audit()).toHaveLength(3);
  now += 1;
  await store.prune();
  expect(audit()).toEqual([erased]);
});

function audit(): readonly unknown[] {
  const db = new DatabaseSync(join(folder, "fermata.sqlite"), { readOnly: true });
  const rows = db
    .prepare("SELECT action, actor, reason, threads, checkpoints, create_time FROM audit ORDER BY id")
    .all();
  db.close();
  return rows.map((row) => ({ ...row }));
}
