import { StoreFault } from "./fault.ts";
import type { ConversationStore } from "./ports.ts";

/** A store that may come up later: every call throws the fault of the last attempt until it has. */
export interface EventualStore {
  readonly store: ConversationStore;
  close(): Promise<void>;
}

/** How an attempt to open ends, and who is told that the store serves. */
export interface Opening {
  readonly open: () => Promise<ConversationStore>;
  readonly onOpen: () => void;
}

/** Faults that no second attempt mends: they end a start. */
const definite: ReadonlySet<string> = new Set(["schema", "separator", "sealed", "network_file_system", "corrupt"]);

const retryEvery = 1_000;

/**
 * Opens a store, now or as soon as it can be had: a disk that is full or a database that is away must not take the palette out of service.
 * Throws StoreFault for a definite wrong at the first attempt.
 */
export async function openEventually({ open, onOpen }: Opening): Promise<EventualStore> {
  let state: ConversationStore | StoreFault = await attempt(open);
  if (!(state instanceof StoreFault)) onOpen();
  else if (definite.has(state.fault)) throw state;
  let trying = Promise.resolve();
  const timer = setInterval(() => {
    if (state instanceof StoreFault) trying = trying.then(again);
    else clearInterval(timer);
  }, retryEvery).unref();

  async function again(): Promise<void> {
    if (!(state instanceof StoreFault)) return;
    state = await attempt(open);
    if (!(state instanceof StoreFault)) onOpen();
  }

  const opened = (): ConversationStore => {
    if (state instanceof StoreFault) throw state;
    return state;
  };
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await trying;
    if (!(state instanceof StoreFault)) await state.close();
  };
  return { store: delegating(opened, close), close };
}

function delegating(opened: () => ConversationStore, close: () => Promise<void>): ConversationStore {
  return {
    get storeId() {
      return opened().storeId;
    },
    find: async (query) => opened().find(query),
    look: async (query) => opened().look(query),
    list: async (query) => opened().list(query),
    write: async (write, payload, until) => opened().write(write, payload, until),
    prune: async () => opened().prune(),
    close,
  };
}

async function attempt(open: () => Promise<ConversationStore>): Promise<ConversationStore | StoreFault> {
  try {
    return await open();
  } catch (thrown) {
    if (thrown instanceof StoreFault) return thrown;
    throw thrown;
  }
}
