import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreFault } from "../fault.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { BINARY_SCHEMA, readMeta, refuseUnservable, type StoreMeta } from "./store-meta.ts";

/**
 * The oldest schema whose binaries may write to a store of ours: one back, so that a fleet rolls forward and back. What
 * a migration adds must therefore be kept right by a binary that does not know it.
 */
const MIN_BINARY = BINARY_SCHEMA - 1;

/**
 * Brings a store to this binary's schema, or creates it, in one transaction: of several processes that start on one
 * empty file one creates it. Refuses by name what this binary must not serve. Answers what the store then is.
 */
export function migrate(connection: Connection, separator: string, now: number): StoreMeta {
  const before = readMeta(connection);
  if (before === undefined || before.schema < BINARY_SCHEMA) {
    inTransaction(connection, () => applyAll(connection, separator, now));
  }
  const meta = readMeta(connection);
  if (meta === undefined) throw new StoreFault("corrupt", "the store is not there after its creation");
  refuseForeign(meta, separator);
  refuseDamagedSchema(connection, meta);
  return meta;
}

/** Refuses a store of our schema whose tables are not those that the migrations make: SQLite would run on them all the same. */
export function refuseDamagedSchema({ db }: Pick<Connection, "db">, { schema }: Pick<StoreMeta, "schema">): void {
  if (schema !== BINARY_SCHEMA) return;
  const model = new DatabaseSync(":memory:");
  try {
    for (const migration of migrations) model.exec(textOf(migration));
    if (tablesOf(db) === tablesOf(model)) return;
  } finally {
    model.close();
  }
  throw new StoreFault("corrupt", "the tables of the store are not those that its migrations made");
}

interface Migration {
  readonly number: number;
  readonly file: string;
  readonly digest: string;
}

// A migration is never edited once it has been released: its digest stands in the stores that ran it.
const migrations: readonly Migration[] = [
  {
    number: 1,
    file: "0001-conversations.sql",
    digest: "799389a249480e04bf9b5be6cd9e182d21351bd83a2ecd6c328cc5ce246f4c66",
  },
  {
    number: 2,
    file: "0002-drains.sql",
    digest: "f25129898926bae139bf8b924e674b559ab069b575dae10a666fd6e05cab33b8",
  },
  {
    number: 3,
    file: "0003-pages-and-parts.sql",
    digest: "80b238d6f23859f3fdef9a96fbf5867d65853d4a43ca1c904ae7f60c74389063",
  },
];

function applyAll(connection: Connection, separator: string, now: number): void {
  const { db } = connection;
  const done = readMeta(connection)?.schema ?? 0;
  for (const migration of migrations.filter(({ number }) => number > done)) {
    db.exec(textOf(migration));
    db.prepare("INSERT INTO migration (number, digest, apply_time) VALUES (?, ?, ?)").run(
      BigInt(migration.number),
      migration.digest,
      BigInt(now),
    );
  }
  if (done > 0) {
    const meta = db.prepare("UPDATE store_meta SET schema = ?, min_binary = max(min_binary, ?) WHERE id = 1");
    meta.run(BigInt(BINARY_SCHEMA), BigInt(MIN_BINARY));
    return;
  }
  db.prepare(
    `INSERT INTO store_meta (id, store_id, incarnation, separator, schema, min_binary, create_time)
     VALUES (1, ?, ?, ?, ?, ?, ?)`,
  ).run(randomUUID(), randomUUID(), separator, BigInt(BINARY_SCHEMA), BigInt(MIN_BINARY), BigInt(now));
}

function tablesOf(db: DatabaseSync): string {
  return JSON.stringify(db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all());
}

function textOf({ file, digest }: Migration): string {
  const sql = readFileSync(new URL(`./migrations/${file}`, import.meta.url), "utf8");
  const found = createHash("sha256").update(sql).digest("hex");
  if (found !== digest) throw new StoreFault("schema", `migration ${file} is not the one that was released (${found})`);
  return sql;
}

function refuseForeign(meta: StoreMeta, separator: string): void {
  refuseUnservable(meta);
  if (meta.separator !== separator) {
    const words = `${JSON.stringify(meta.separator)}, and the configuration says ${JSON.stringify(separator)}`;
    throw new StoreFault("separator", `the store's thread keys were made with the separator ${words}`);
  }
}
