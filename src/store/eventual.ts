import { StoreFault } from "./fault.ts";
import type { ConversationStore } from "./ports.ts";
import { Watch } from "./watch.ts";

/** A store that comes up later, and may go and come back: until it is open every call throws the fault of the last attempt. */
export interface EventualStore {
  readonly store: ConversationStore;
  /** Resolves after the first attempt, whether the store is open or not; rejects with a StoreFault for a definite wrong. */
  readonly tried: Promise<void>;
  close(): Promise<void>;
}

/** How the store is opened, and who is told whether it serves. */
export interface Opening {
  readonly open: () => Promise<ConversationStore>;
  /** Throws a StoreFault while an open store still can't do what it is for. */
  readonly prove: (store: ConversationStore) => Promise<void>;
  readonly onOpen: () => void;
  /** Called with the fault of an attempt that later ones may mend, once for each kind. */
  readonly onFault: (fault: StoreFault) => void;
  /** Called with the fault that has stopped an open store from serving. What it can do it goes on doing. */
  readonly onLost: (fault: StoreFault) => void;
  /** Called when it serves again. */
  readonly onBack: () => void;
}

/** Faults that no second attempt mends: they end a start. */
const definite: ReadonlySet<string> = new Set([
  "folder",
  "schema",
  "separator",
  "sealed",
  "network_file_system",
  "corrupt",
]);

const retryEvery = 1_000;

/** Opens a store as soon as it can be had: a disk that is full or a database that is away must not take the palette out of service. */
export function openEventually({ open, prove, onOpen, onFault, onLost, onBack }: Opening): EventualStore {
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
  const watch = new Watch({ prove: () => prove(opened()), onLost, onBack });
  const ask: AskStore = async (work) => {
    const store = opened(); // One that has not opened yet is not lost.
    return await watch.over(() => work(store));
  };
  const close = async (): Promise<void> => {
    clearInterval(timer);
    watch.stop();
    await trying;
    if (!(state instanceof StoreFault)) await state.close();
  };
  return { store: delegating(opened, ask, close), tried, close };
}

/** Asks the store, if it is open. */
type AskStore = <T>(work: (store: ConversationStore) => Promise<T>) => Promise<T>;

function delegating(opened: () => ConversationStore, ask: AskStore, close: () => Promise<void>): ConversationStore {
  return {
    get storeId() {
      return opened().storeId;
    },
    find: (query) => ask((store) => store.find(query)),
    look: (query) => ask((store) => store.look(query)),
    part: (query) => ask((store) => store.part(query)),
    times: (query) => ask((store) => store.times(query)),
    list: (query) => ask((store) => store.list(query)),
    write: (write, payload, until) => ask((store) => store.write(write, payload, until)),
    freeze: (write, until) => ask((store) => store.freeze(write, until)),
    thaw: (write, until) => ask((store) => store.thaw(write, until)),
    discard: (write, until) => ask((store) => store.discard(write, until)),
    erase: (write, until) => ask((store) => store.erase(write, until)),
    holds: () => ask((store) => store.holds()),
    drain: (query) => ask((store) => store.drain(query)),
    unjudged: (query, limit) => ask((store) => store.unjudged(query, limit)),
    keepVerdicts: (verdicts, terms) => ask((store) => store.keepVerdicts(verdicts, terms)),
    prune: () => ask((store) => store.prune()),
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
