import type { DatabaseSync } from "node:sqlite";
import { StoreFault } from "../fault.ts";
import type { Connection } from "./connection.ts";
import { isOfTheMachine } from "./faults.ts";
import { integer, type Row, text } from "./rows.ts";

/** The schema that this binary writes. It serves stores whose `min_binary` is not above it. */
export const BINARY_SCHEMA = 3;

/** What store_meta says of a store. */
export interface StoreMeta {
  readonly storeId: string;
  readonly incarnation: string;
  readonly separator: string;
  readonly schema: number;
  readonly minBinary: number;
  readonly sealedFor: string | undefined;
}

/** What the store says of itself; nothing for an empty file. */
export function readMeta({ db }: Pick<Connection, "db">): StoreMeta | undefined {
  const there = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'store_meta'").get();
  if (there === undefined) return undefined;
  const row = metaRow(db);
  if (row === undefined) throw new StoreFault("corrupt", "the store has lost what says which store it is");
  return metaOf(row);
}

/** Refuses a store whose schema a newer binary has moved on, and one that has been sealed for a copy. */
export function refuseUnservable(meta: Pick<StoreMeta, "minBinary" | "sealedFor">): void {
  if (meta.minBinary > BINARY_SCHEMA) {
    throw new StoreFault(
      "schema",
      `the store needs a binary of schema ${meta.minBinary}; this one has ${BINARY_SCHEMA}`,
    );
  }
  if (meta.sealedFor !== undefined) {
    throw new StoreFault("sealed", `the store has been copied to ${meta.sealedFor} and takes no writes any more`);
  }
}

/** A table that has not the columns of ours is damage, and no bug. */
function metaRow(db: DatabaseSync): Row | undefined {
  try {
    return db
      .prepare("SELECT store_id, incarnation, separator, schema, min_binary, sealed_for FROM store_meta WHERE id = 1")
      .get();
  } catch (thrown) {
    if (isOfTheMachine(thrown)) throw thrown;
    throw new StoreFault("corrupt", "what says which store it is can't be read", { cause: thrown });
  }
}

function metaOf(row: Row): StoreMeta {
  const sealedFor = text(row, "sealed_for");
  return {
    storeId: text(row, "store_id"),
    incarnation: text(row, "incarnation"),
    separator: text(row, "separator"),
    schema: integer(row, "schema"),
    minBinary: integer(row, "min_binary"),
    sealedFor: sealedFor === "" ? undefined : sealedFor,
  };
}
