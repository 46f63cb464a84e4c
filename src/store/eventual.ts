import { StoreFault } from "./fault.ts";
import type { ConversationStore } from "./ports.ts";

/** A store that comes up later: until then every call throws the fault of the last attempt. */
export interface EventualStore {
  readonly store: ConversationStore;
  /** Resolves after the first attempt, whether the store is open or not; rejects with a StoreFault for a definite wrong. */
  readonly tried: Promise<void>;
  close(): Promise<void>;
}

/** How the store is opened, and who is told that it serves. */
export interface Opening {
  readonly open: () => Promise<ConversationStore>;
  readonly onOpen: () => void;
  /** Called with the fault of an attempt that later ones may mend, once for each kind. */
  readonly onFault: (fault: StoreFault) => void;
}

/** Faults that no second attempt mends: they end a start. */
const definite: ReadonlySet<string> = new Set(["schema", "separator", "sealed", "network_file_system", "corrupt"]);

const retryEvery = 1_000;

/** Opens a store as soon as it can be had: a disk that is full or a database that is away must not take the palette out of service. */
export function openEventually({ open, onOpen, onFault }: Opening): EventualStore {
  let state: ConversationStore | StoreFault = new StoreFault("busy", "the store is being opened");
  const again = async (): Promise<void> => {
    if (!(state instanceof StoreFault)) return;
    const before = state.message;
    state = await attempt(open);
    if (!(state instanceof StoreFault)) onOpen();
    else if (state.message !== before && !definite.has(state.fault)) onFault(state);
  };
  const timer = setInterval(() => {
    if (state instanceof StoreFault) trying = trying.then(again);
    else clearInterval(timer);
  }, retryEvery).unref();
  let trying = again();
  const tried = trying.then(() => {
    if (!(state instanceof StoreFault) || !definite.has(state.fault)) return;
    clearInterval(timer);
    throw state;
  });
  tried.catch(() => undefined); // whoever opens awaits it later
  const opened = (): ConversationStore => {
    if (state instanceof StoreFault) throw state;
    return state;
  };
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await trying;
    if (!(state instanceof StoreFault)) await state.close();
  };
  return { store: delegating(opened, close), tried, close };
}

function delegating(opened: () => ConversationStore, close: () => Promise<void>): ConversationStore {
  return {
    get storeId() {
      return opened().storeId;
    },
    find: async (query) => opened().find(query),
    look: async (query) => opened().look(query),
    part: async (query) => opened().part(query),
    times: async (query) => opened().times(query),
    list: async (query) => opened().list(query),
    write: async (write, payload, until) => opened().write(write, payload, until),
    freeze: async (write, until) => opened().freeze(write, until),
    thaw: async (write, until) => opened().thaw(write, until),
    discard: async (write, until) => opened().discard(write, until),
    erase: async (write, until) => opened().erase(write, until),
    holds: async () => opened().holds(),
    drain: async (query) => opened().drain(query),
    unjudged: async (query, limit) => opened().unjudged(query, limit),
    keepVerdicts: async (verdicts, terms) => opened().keepVerdicts(verdicts, terms),
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
