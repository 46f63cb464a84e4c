import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { conversationContract, type Place } from "./contract.ts";
import { operatorContract } from "./operator-contract.ts";
import { readingContract } from "./reading-contract.ts";

for (const contract of [conversationContract, readingContract, operatorContract]) contract("SQLite", newPlace);

function newPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "fermata-store-"));
  let now = Date.now();
  const options = { folder, separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: () => now };
  return {
    open: async () => (await openSqlite(options)).store,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
    setClock: (time) => {
      now = time;
    },
  };
}
