import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { acknowledged, identity } from "./writes.ts";

const root = mkdtempSync(join(tmpdir(), "fermata-upgrade-"));
afterAll(() => rmSync(root, { recursive: true }));

const files = ["0001-conversations.sql", "0002-drains.sql", "0003-pages-and-parts.sql"] as const;

describe("a store of an older schema", () => {
  it.each([
    { schema: 1, minBinary: 1 },
    { schema: 2, minBinary: 1 },
    { schema: 2, minBinary: 2 },
  ])("of schema $schema is brought to this one, and binaries of one schema back may go on", async (older) => {
    const folder = join(root, `${older.schema}-${older.minBinary}`);
    makeOlder(folder, older);
    const store = await open(folder);
    await acknowledged(store, { tenant: "acme", session: "after" });
    expect(await listed(store)).toEqual(["older", "after"]);
    await store.close();
    expect(metaOf(folder)).toEqual({ schema: 3, min_binary: 2 });
  });

  it("is kept as it was beside the store, for the newest older schema only, until something is erased", async () => {
    const folder = join(root, "copied");
    makeOlder(folder, { schema: 2, minBinary: 2 });
    writeFileSync(join(folder, "fermata.sqlite.schema-1"), "of an upgrade before");
    const store = await open(folder);
    expect(copiesOf(folder)).toEqual(["fermata.sqlite.schema-2"]);
    expect(metaOf(folder, "fermata.sqlite.schema-2")).toEqual({ schema: 2, min_binary: 2 });
    await acknowledged(store, { tenant: "acme", session: "gone" });
    const what = { by: "thread", target: identity("acme", "gone"), claimedTenantId: undefined } as const;
    const erase = { kind: "erase", what, actor: "op", reason: "r", now: 1, dryRun: true } as const;
    await store.erase(erase, Number.MAX_SAFE_INTEGER);
    writeFileSync(join(folder, "fermata.sqlite.copying-x"), "of an upgrade that was killed");
    expect(copiesOf(folder)).toHaveLength(2);
    await store.erase({ ...erase, dryRun: false }, Number.MAX_SAFE_INTEGER);
    expect(copiesOf(folder)).toEqual([]);
    await store.close();
  });

  it("is copied once when several open it at once", async () => {
    const folder = join(root, "together");
    makeOlder(folder, { schema: 2, minBinary: 2 });
    const stores = await Promise.all([1, 2, 3].map(() => open(folder)));
    expect(copiesOf(folder)).toEqual(["fermata.sqlite.schema-2"]);
    expect(metaOf(folder, "fermata.sqlite.schema-2")).toEqual({ schema: 2, min_binary: 2 });
    for (const store of stores) await store.close();
  });

  it("is created so that a binary of one schema back serves it, too", async () => {
    const folder = join(root, "new");
    await (await open(folder)).close();
    expect(metaOf(folder)).toEqual({ schema: 3, min_binary: 2 });
  });
});

describe("what the schema before did not know", () => {
  it("is kept right by its binaries: what they write, attribute and erase is listed as it is", async () => {
    const folder = join(root, "beside");
    const store = await open(folder);
    await acknowledged(store, { tenant: "acme", session: "first" });
    const db = new DatabaseSync(join(folder, "fermata.sqlite"), { timeout: 5000 });
    db.exec("PRAGMA foreign_keys = ON");
    insertThread(db, { session: "theirs", tenant: "acme" });
    insertThread(db, { session: "unproved", tenant: "" });
    expect(await listed(store)).toEqual(["first", "theirs"]);
    db.exec("UPDATE thread SET tenant_id = 'acme', session_id = 'attributed' WHERE thread_key = 'unproved'");
    expect(await listed(store)).toEqual(["first", "theirs", "unproved"]);
    db.exec("UPDATE thread SET tenant_id = 'umbrella' WHERE thread_key = 'unproved'");
    db.exec("DELETE FROM checkpoint WHERE thread_id = (SELECT id FROM thread WHERE thread_key = 'theirs')");
    expect(await listed(store)).toEqual(["first"]);
    expect(await listed(store, "umbrella")).toEqual(["unproved"]);
    const rows = db.prepare("SELECT count(*) AS rows FROM tenant_checkpoint").get();
    expect(rows).toEqual({ rows: 2 });
    expect(listDamage(folder)).toEqual([]);
    db.exec("DELETE FROM tenant_checkpoint WHERE tenant_id = 'umbrella'");
    expect(listDamage(folder)).toEqual(["c-unproved"]);
    db.close();
    await store.close();
  });
});

async function open(folder: string) {
  const options = { separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now };
  return (await openSqlite({ folder, ...options })).store;
}

/** Which threads' checkpoints a tenant has, in their order: by the last part of their keys. */
async function listed(store: Awaited<ReturnType<typeof open>>, tenantId = "acme"): Promise<readonly string[]> {
  const page = await store.list({ of: { by: "tenant", tenantId }, after: 0, limit: 100 });
  if (page.kind !== "page") throw new Error(page.kind);
  return page.rows.map(({ thread }) => thread.key.split(":").at(-1) ?? "");
}

/** What verify-store finds missing from the lists. */
function listDamage(folder: string): readonly (string | undefined)[] {
  const { damage } = verifyFolder(folder);
  return damage.filter(({ kind }) => kind === "list").map(({ checkpointId }) => checkpointId);
}

/** A store as the migrations up to a schema made it, with one thread. */
function makeOlder(
  folder: string,
  { schema, minBinary }: { readonly schema: number; readonly minBinary: number },
): void {
  mkdirSync(folder, { mode: 0o700 });
  const db = new DatabaseSync(join(folder, "fermata.sqlite"));
  for (const [at, file] of files.slice(0, schema).entries()) {
    db.exec(readFileSync(new URL(`../../src/store/sqlite/migrations/${file}`, import.meta.url), "utf8"));
    db.prepare("INSERT INTO migration (number, digest, apply_time) VALUES (?, '', 0)").run(BigInt(at + 1));
  }
  db.prepare(
    `INSERT INTO store_meta (id, store_id, incarnation, separator, schema, min_binary, create_time)
     VALUES (1, 'store', 'incarnation', ':', ?, ?, 0)`,
  ).run(BigInt(schema), BigInt(minBinary));
  insertThread(db, { session: "older", tenant: "acme" });
  db.close();
}

/** With the statements of the first schema, which every later one has to understand. */
function insertThread(
  db: DatabaseSync,
  { session, tenant }: { readonly session: string; readonly tenant: string },
): void {
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO thread (thread_key, tenant_id, sub_tenant_id, session_id, minted, head_checkpoint_id, head_sequence,
                           create_time) VALUES (?, ?, '', ?, ?, ?, 1, 1)`,
    )
    .run(session, tenant, tenant === "" ? "" : session, tenant === "" ? 0n : 1n, `c-${session}`);
  db.prepare(
    `INSERT INTO checkpoint (checkpoint_id, thread_id, sequence, envelope_version, origin, create_time, host_runtime,
       host_version, host_model, format, boundary_kind, boundary_proof, boundary_entries, payload_kind, payload_length,
       payload_digest, digest, state, chunks)
     VALUES (?, ?, 1, 1, 'issued', 1, '', '', '', 'openai-chat/1', 0, '', 0, 'text', 0, x'', x'', 'active', x'')`,
  ).run(`c-${session}`, lastInsertRowid);
}

function copiesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => /schema|copying/.test(name));
}

function metaOf(folder: string, name = "fermata.sqlite"): unknown {
  const db = new DatabaseSync(join(folder, name));
  const row = { ...db.prepare("SELECT schema, min_binary FROM store_meta").get() };
  db.close();
  return row;
}
