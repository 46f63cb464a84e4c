import { existsSync } from "node:fs";
import type { Found } from "../../domain/conversation/found.ts";
import { StoreFault } from "../fault.ts";
import type { FindQuery } from "../ports.ts";
import { openForReading } from "./connection.ts";
import { guarded } from "./faults.ts";
import { find } from "./find.ts";
import { storeFiles } from "./folder.ts";
import { readMeta } from "./store-meta.ts";

/** Reads one checkpoint straight from the files of a folder, beside whatever serves them. */
export function readFound(folder: string, query: Omit<FindQuery, "accepted">): Found {
  const { database } = storeFiles(folder);
  if (!existsSync(database)) throw new StoreFault("io", "there is no store in the folder");
  const connection = openForReading(database);
  try {
    return guarded(() => {
      if (readMeta(connection) === undefined) throw new StoreFault("corrupt", "the database holds no store");
      connection.statement("BEGIN").run();
      return find(connection, { ...query, accepted: [] });
    });
  } finally {
    connection.db.close();
  }
}
