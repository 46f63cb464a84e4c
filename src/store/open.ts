import type { Found } from "../domain/conversation/found.ts";
import { openDocuments } from "./documents.ts";
import { openEventually } from "./eventual.ts";
import type { StoreFault } from "./fault.ts";
import type { ConversationStore, Documents, FindQuery } from "./ports.ts";
import { backUp } from "./sqlite/backup.ts";
import { readFound } from "./sqlite/read-found.ts";
import { type Restored, restore } from "./sqlite/restore.ts";
import { openSqlite } from "./sqlite/store.ts";
import { type Verification, verifyFolder } from "./sqlite/verify.ts";
import { proveWritable } from "./sqlite/writable.ts";

/** What a configuration says of the store. */
export interface StoreSettings {
  readonly store: "sqlite" | "none";
  readonly dataDir: string;
  readonly separator: string;
  readonly diskReserveBytes: number;
  /** SQLite can't rely on the locks of network file systems: only who knows better says so. */
  readonly allowNetworkFileSystem: boolean;
  readonly clock: () => number;
  /** Called once the store serves, with what an operator should know of where it stands. */
  readonly onOpen: (warnings: readonly string[]) => void;
  /** Called with why the store cannot be opened yet; it is tried again every second. */
  readonly onFault: (fault: StoreFault) => void;
  /** Called with what stops an open store from taking writes; what it holds can still be read. */
  readonly onLost: (fault: StoreFault) => void;
  /** Called when it takes writes again, which is tried every second. */
  readonly onBack: () => void;
}

/** Everything that remembers. */
export interface OpenStore {
  /** Absent: no store is configured, and what needs one is STORE_NOT_CONFIGURED. */
  readonly conversations: ConversationStore | undefined;
  readonly documents: Documents;
  /** Resolves after the first attempt to open the store; rejects with a StoreFault for what no later attempt mends. */
  readonly tried: Promise<void>;
  /** Finishes what has begun and lets files and threads go. */
  close(): Promise<void>;
}

/** Opens the engine that the configuration names; no other file knows their names. */
export function openStore(settings: StoreSettings): OpenStore {
  const documents = openDocuments();
  if (settings.store === "none") {
    return { conversations: undefined, documents, tried: Promise.resolve(), close: () => documents.close() };
  }
  let warnings: readonly string[] = [];
  const eventual = openEventually({
    open: async () => {
      const opened = await openSqlite({ ...settings, folder: settings.dataDir });
      warnings = opened.warnings;
      return opened.store;
    },
    prove: async (store) => {
      await proveWritable(settings.dataDir, settings.diskReserveBytes);
      await store.prune();
    },
    onOpen: () => settings.onOpen(warnings),
    onFault: settings.onFault,
    onLost: settings.onLost,
    onBack: settings.onBack,
  });
  const close = async (): Promise<void> => {
    await Promise.all([eventual.close(), documents.close()]);
  };
  return { conversations: eventual.store, documents, tried: eventual.tried, close };
}

/** Copies the store of a data folder to a new file, while sidecars may go on serving it. Throws StoreFault. */
export function backUpStore(dataDir: string, file: string): void {
  backUp(dataDir, file);
}

/** Makes a store in an empty data folder from a backup; it comes up frozen. Throws StoreFault. */
export function restoreStore(backup: string, dataDir: string, now: number): Restored {
  return restore(backup, dataDir, now);
}

/** Checks every digest of the store of a data folder, while sidecars may go on serving it. Throws StoreFault. */
export function verifyStore(dataDir: string): Verification {
  return verifyFolder(dataDir);
}

/** One checkpoint of the store of a data folder with its payload, for its export. Throws StoreFault. */
export function readCheckpoint(dataDir: string, query: Omit<FindQuery, "accepted">): Found {
  return readFound(dataDir, query);
}
