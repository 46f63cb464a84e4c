import { openDocuments } from "./documents.ts";
import { openEventually } from "./eventual.ts";
import type { ConversationStore, Documents } from "./ports.ts";
import { openSqlite } from "./sqlite/store.ts";

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
}

/** Everything that remembers. */
export interface OpenStore {
  /** Absent: no store is configured, and what needs one is STORE_NOT_CONFIGURED. */
  readonly conversations: ConversationStore | undefined;
  readonly documents: Documents;
  /** Finishes what has begun and lets files and threads go. */
  close(): Promise<void>;
}

/** Opens the engine that the configuration names; no other file knows their names. Throws StoreFault for what no later attempt mends. */
export async function openStore(settings: StoreSettings): Promise<OpenStore> {
  const documents = openDocuments();
  if (settings.store === "none") return { conversations: undefined, documents, close: () => documents.close() };
  let warnings: readonly string[] = [];
  const eventual = await openEventually({
    open: async () => {
      const opened = await openSqlite({ ...settings, folder: settings.dataDir });
      warnings = opened.warnings;
      return opened.store;
    },
    onOpen: () => settings.onOpen(warnings),
  });
  const close = async (): Promise<void> => {
    await Promise.all([eventual.close(), documents.close()]);
  };
  return { conversations: eventual.store, documents, close };
}
