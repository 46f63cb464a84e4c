import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StoreFault } from "../fault.ts";
import { isBusy } from "./faults.ts";
import { keepPrivate } from "./private-file.ts";

/** How long a lock is waited for, in milliseconds. */
const lockWait = 5000;

/** An open database and the statements that were prepared on it, each once. */
export interface Connection {
  readonly db: DatabaseSync;
  readonly statement: (sql: string) => StatementSync;
}

/**
 * Opens the file for writing with what an acknowledgement rests on, and reads each setting back: some builds reopen a
 * WAL file with `synchronous=NORMAL`. Waits for others only here; afterwards `beginImmediate` waits, more fairly.
 */
export function openForWriting(file: string): Connection {
  keepPrivate(file);
  const db = new DatabaseSync(file, { timeout: lockWait });
  try {
    db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    patiently(() => db.exec("PRAGMA journal_mode = WAL"));
    settle(db, "synchronous", "FULL", 2);
    settle(db, "foreign_keys", "ON", 1);
    settle(db, "secure_delete", "ON", 1);
    settle(db, "journal_size_limit", "1048576", 1_048_576);
    settle(db, "temp_store", "MEMORY", 2); // Else each savepoint's pages go through a file of the machine's temporary folder.
    settle(db, "cache_size", "-16384", -16_384); // In KiB: a batch that does not fit is written to the WAL twice.
    settle(db, "wal_autocheckpoint", "4000", 4000); // At the default of 1000 every other full batch pays for its syncs.
    return connection(db);
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** Opens the file for reads. In WAL mode they neither wait for the writer nor stop it. */
export function openForReading(file: string): Connection {
  const db = new DatabaseSync(file, { timeout: lockWait });
  db.exec("PRAGMA query_only = ON");
  return connection(db);
}

/** From now on no statement waits for a lock by itself: SQLite's own back-off is unfair between processes. */
export function stopWaiting({ db }: Connection): void {
  db.exec("PRAGMA busy_timeout = 0");
}

/** BEGIN IMMEDIATE with a wait of our own: 1 ms with jitter, at most until `lockWait` is over. */
export function beginImmediate({ statement }: Connection): void {
  patiently(() => statement("BEGIN IMMEDIATE").run());
}

/** Ends a transaction that failed. A full disk has rolled it back already. */
export function rollback({ db }: Connection): void {
  if (db.isTransaction) db.exec("ROLLBACK");
}

/** Closes a connection, also one whose file is gone: that can't be closed in order, and is let go of. */
export function letGo({ db }: Connection): void {
  try {
    db.close();
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
  }
}

/** Does the work in one transaction: all of it is there afterwards, or nothing. */
export function inTransaction<T>(connection: Connection, work: () => T): T {
  beginImmediate(connection);
  try {
    const value = work();
    connection.db.exec("COMMIT");
    return value;
  } catch (thrown) {
    rollback(connection);
    throw thrown;
  }
}

function connection(db: DatabaseSync): Connection {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  return { db, statement };
}

type Setting =
  | "synchronous"
  | "foreign_keys"
  | "secure_delete"
  | "journal_size_limit"
  | "temp_store"
  | "cache_size"
  | "wal_autocheckpoint";

function settle(db: DatabaseSync, name: Setting, value: string, expected: number): void {
  db.exec(`PRAGMA ${name} = ${value}`); // A pragma takes no parameters; both words are literals of this file.
  const found = Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  if (found !== expected) throw new StoreFault("schema", `this SQLite does not keep ${name}=${value}`);
}

function patiently(step: () => unknown): void {
  const until = performance.now() + lockWait;
  for (;;) {
    try {
      step();
      return;
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > until) throw thrown;
      sleep(0.5 + Math.random());
    }
  }
}

const never = new Int32Array(new SharedArrayBuffer(4));

function sleep(ms: number): void {
  Atomics.wait(never, 0, 0, ms);
}
