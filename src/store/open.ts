import { openDocuments } from "./documents.ts";
import type { ConversationStore, Documents } from "./ports.ts";
import { openSqlite } from "./sqlite/store.ts";

/** What a configuration says of the store. */
export interface StoreSettings {
  readonly store: "sqlite" | "none";
  readonly dataDir: string;
  readonly separator: string;
  readonly diskReserveBytes: number;
  /** SQLite can't rely on the locks of network file systems: only who knows better says so. */
  readonly allowNetworkFileSystem?: boolean;
  readonly clock: () => number;
}

/** Everything that remembers, and what an operator should know of where it stands. */
export interface OpenStore {
  /** Absent: no store is configured, and what needs one is STORE_NOT_CONFIGURED. */
  readonly conversations: ConversationStore | undefined;
  readonly documents: Documents;
  readonly warnings: readonly string[];
  /** Finishes what has begun and lets files and threads go. */
  close(): Promise<void>;
}

/** Opens the engine that the configuration names; no other file knows their names. Throws StoreFault. */
export async function openStore(settings: StoreSettings): Promise<OpenStore> {
  const documents = openDocuments();
  if (settings.store === "none") {
    return { conversations: undefined, documents, warnings: [], close: () => documents.close() };
  }
  const { store, warnings } = await openSqlite({
    folder: settings.dataDir,
    separator: settings.separator,
    diskReserveBytes: settings.diskReserveBytes,
    allowNetworkFileSystem: settings.allowNetworkFileSystem ?? false,
    clock: settings.clock,
  });
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), documents.close()]);
  };
  return { conversations: store, documents, warnings, close };
}
