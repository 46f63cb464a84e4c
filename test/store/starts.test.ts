import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { openSqlite, type SqliteOptions } from "../../src/store/sqlite/store.ts";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { acknowledged, identity, issueOn, turn } from "./writes.ts";

const root = mkdtempSync(join(tmpdir(), "fermata-starts-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const optionsOf = (name: string, wish: Partial<SqliteOptions> = {}): SqliteOptions => ({
  folder: join(root, name),
  separator: ":",
  diskReserveBytes: 0,
  allowNetworkFileSystem: false,
  clock: Date.now,
  ...wish,
});

const open = async (name: string, wish: Partial<SqliteOptions> = {}) => (await openSqlite(optionsOf(name, wish))).store;

/** A store with one checkpoint, closed, after somebody did this to its file. */
async function tampered(name: string, sql: string): Promise<void> {
  const store = await open(name);
  await acknowledged(store);
  await store.close();
  const db = new DatabaseSync(join(root, name, "fermata.sqlite"));
  db.exec(sql);
  db.close();
}

describe("a start", () => {
  it("makes a folder for its owner only, and its file as an acknowledgement needs it", async () => {
    const store = await open("made");
    await acknowledged(store);
    expect(statSync(join(root, "made")).mode & 0o777).toBe(0o700);
    expect(existsSync(join(root, "made", "fermata.sqlite-wal"))).toBe(true);
    const db = new DatabaseSync(join(root, "made", "fermata.sqlite"));
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(db.prepare("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
    const tables = db
      .prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    expect(tables).toEqual([]);
    db.close();
    await store.close();
  });

  it("is refused with another separator than the store was made with", async () => {
    await (await open("separator")).close();
    await expect(open("separator", { separator: "/" })).rejects.toMatchObject({ fault: "separator" });
    await (await open("separator")).close();
  });

  it.each([
    { name: "needs a newer binary", sql: "UPDATE store_meta SET min_binary = 4, schema = 4", fault: "schema" },
    { name: "was sealed for a copy", sql: "UPDATE store_meta SET sealed_for = 'postgres'", fault: "sealed" },
    { name: "is another store than the folder's", sql: "UPDATE store_meta SET store_id = 'x'", fault: "corrupt" },
    { name: "has lost its tables", sql: "DROP TABLE idempotency", fault: "corrupt" },
    { name: "has lost what says which store it is", sql: "DELETE FROM store_meta", fault: "corrupt" },
  ])("is refused for a store that $name", async ({ name, sql, fault }) => {
    await tampered(name, sql);
    await expect(open(name)).rejects.toMatchObject({ fault });
  });

  it("is served for a schema one ahead that still allows this binary", async () => {
    await tampered("ahead", "UPDATE store_meta SET schema = 4; CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT");
    const store = await open("ahead");
    expect(await issueOn(store)).toMatchObject({ value: { repeated: true } });
    await store.close();
  });

  it("is refused for a file that is no database", async () => {
    await (await open("text")).close();
    writeFileSync(
      join(root, "text", "fermata.sqlite"),
      "this is not a database, but long enough to be looked at".repeat(100),
    );
    await expect(open("text")).rejects.toMatchObject({ fault: "corrupt" });
  });

  it("of four processes on one empty folder makes one store that all of them serve", async () => {
    const folder = join(root, "four");
    const program = `
      const { openSqlite } = await import(${JSON.stringify(new URL("../../src/store/sqlite/store.ts", import.meta.url).href)});
      const { issueOn } = await import(${JSON.stringify(new URL("./writes.ts", import.meta.url).href)});
      const { store } = await openSqlite({ folder: process.argv[1], separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now });
      for (let count = 0; count < 25; count += 1) {
        const outcome = await issueOn(store, { session: process.argv[2] + "-" + count });
        if (outcome.kind !== "ok") throw new Error(outcome.leaf.case);
      }
      console.log(store.storeId);
      await store.close();`;
    const ids = await Promise.all(["a", "b", "c", "d"].map((name) => runProgram(program, [folder, name])));
    expect(new Set(ids).size).toBe(1);
    expect(verifyFolder(folder)).toMatchObject({ storeId: ids[0], threads: 100, checkpoints: 100, damage: [] });
  });
});

describe("while it serves", () => {
  it("refuses writes once the schema has moved on, and goes on reading", async () => {
    const store = await open("moved");
    await acknowledged(store);
    const db = new DatabaseSync(join(root, "moved", "fermata.sqlite"), { timeout: 5000 });
    db.exec("UPDATE store_meta SET min_binary = 4");
    db.close();
    await expect(issueOn(store, { session: "s2" })).rejects.toMatchObject({ fault: "schema" });
    const found = await store.find({ thread: identity("acme", "s1"), checkpointId: undefined, accepted: [] });
    expect(found.kind).toBe("checkpoint");
    await store.close();
  });

  it("refuses writes below the disk's reserve, and goes on reading; with room it writes again", async () => {
    const kept = await open("full");
    await acknowledged(kept);
    await kept.close();
    const store = await open("full", { diskReserveBytes: Number.MAX_SAFE_INTEGER });
    await expect(issueOn(store, { session: "s2" })).rejects.toMatchObject({ fault: "full" });
    const found = await store.find({ thread: identity("acme", "s1"), checkpointId: undefined, accepted: [] });
    expect(found.kind).toBe("checkpoint");
    expect(await store.prune()).toBe(0);
    await store.close();
    const again = await open("full");
    await acknowledged(again, { session: "s2" });
    await again.close();
  });

  it("keeps one writer's damaged row from the others in its batch", async () => {
    const store = await open("batch");
    await acknowledged(store, { session: "bad" });
    const db = new DatabaseSync(join(root, "batch", "fermata.sqlite"), { timeout: 5000 });
    db.exec("UPDATE thread SET head_sequence = 9007199254740993 WHERE session_id = 'bad'");
    db.close();
    const writes = [issueOn(store, { session: "bad", content: turn("x") }), issueOn(store, { session: "good" })];
    const [bad, good] = await Promise.allSettled(writes);
    expect(bad).toMatchObject({ status: "rejected", reason: { fault: "corrupt" } });
    expect(good).toMatchObject({ status: "fulfilled", value: { kind: "ok" } });
    await store.close();
  });

  it("waits for a lock that another process holds, and says busy when it is not let go", async () => {
    const store = await open("busy");
    await acknowledged(store);
    const db = new DatabaseSync(join(root, "busy", "fermata.sqlite"), { timeout: 5000 });
    db.exec("BEGIN IMMEDIATE");
    const waiting = issueOn(store, { session: "s2" });
    await new Promise((resolve) => setTimeout(resolve, 300)); // The lock is held for a while: there is no condition to wait for.
    db.exec("COMMIT");
    expect(await waiting).toMatchObject({ kind: "ok" });
    db.exec("BEGIN IMMEDIATE");
    await expect(issueOn(store, { session: "s3" })).rejects.toMatchObject({ fault: "busy" });
    db.exec("COMMIT");
    db.close();
    expect(await issueOn(store, { session: "s3" })).toMatchObject({ kind: "ok" });
    await store.close();
  });
});

describe("two writers on one file", () => {
  it("let exactly one of eight hosts win each head, and a duplicate key is never a conflict", async () => {
    const stores = [await open("two"), await open("two")];
    let expectedHead = await acknowledged(stores[0] ?? (await open("two")));
    for (let round = 0; round < 100; round += 1) {
      const outcomes = await Promise.all(
        stores.flatMap((store, at) =>
          [0, 1, 2, 3].map((host) => issueOn(store, { expectedHead, content: turn(`${round} ${at} ${host}`) })),
        ),
      );
      const won = outcomes.flatMap((outcome) => (outcome.kind === "ok" ? [outcome.value] : []));
      expect([won.length, won[0]?.repeated]).toEqual([1, false]);
      expectedHead = won[0]?.checkpoint.header.checkpointId ?? "";
      const same = { expectedHead, content: turn(`${round} same`), idempotencyKey: `k${round}` };
      const retries = await Promise.all(stores.flatMap((store) => [issueOn(store, same), issueOn(store, same)]));
      const ids = retries.map((outcome) => outcome.kind === "ok" && outcome.value.checkpoint.header.checkpointId);
      expect(new Set(ids).size).toBe(1);
      expectedHead = String(ids[0]);
    }
    for (const store of stores) await store.close();
    expect(verifyFolder(join(root, "two"))).toMatchObject({ threads: 1, checkpoints: 201, damage: [] });
  });
});

function runProgram(program: string, args: readonly string[]): Promise<string> {
  const flags = ["--input-type=module-typescript", "--eval", program, ...args];
  const child = spawn(process.execPath, flags, { cwd: fileURLToPath(new URL("../..", import.meta.url)) });
  const [out, err]: string[][] = [[], []];
  child.stdout.on("data", (part) => out?.push(String(part)));
  child.stderr.on("data", (part) => err?.push(String(part)));
  return new Promise((resolve, reject) => {
    child.on("close", (code) => (code === 0 ? resolve(out?.join("").trim() ?? "") : reject(new Error(err?.join("")))));
  });
}
