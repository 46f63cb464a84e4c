import type { Placed } from "../../domain/conversation/discard.ts";
import type { DrainTally } from "../../domain/conversation/drain.ts";
import type { Unjudged } from "../../domain/conversation/drain-query.ts";
import type { Found } from "../../domain/conversation/found.ts";
import type { ActiveHold } from "../../domain/conversation/freeze.ts";
import type { Instant } from "../../domain/conversation/stored.ts";
import type { Thawed } from "../../domain/conversation/thaw.ts";
import type { Written } from "../../domain/conversation/write.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ConversationStore, CutPayload, Listed } from "../ports.ts";
import { type Line, openLine, workerUrl } from "../worker-line.ts";
import { storeFiles } from "./folder.ts";
import type { OneWrite } from "./operate.ts";
import type { ReaderAsk } from "./reader.ts";
import { eraseAll, forget, freezeAll } from "./rounds.ts";
import type { OpenAsk, Opened, WriterAsk } from "./writer-asks.ts";

/** Where the embedded store stands and what it keeps to. */
export interface SqliteOptions {
  readonly folder: string;
  readonly separator: string;
  readonly diskReserveBytes: number;
  readonly allowNetworkFileSystem: boolean;
  readonly clock: () => number;
}

/** An embedded store that is open, with what an operator should know of the place where it stands. */
export interface OpenedSqlite {
  readonly store: ConversationStore;
  readonly warnings: readonly string[];
}

/**
 * Opens the embedded store: one worker writes and one reads, since DatabaseSync blocks the thread that it runs on.
 * Throws StoreFault for a store that must not or can't be served.
 */
export async function openSqlite(options: SqliteOptions): Promise<OpenedSqlite> {
  const opening = openAsk(options);
  const { database } = storeFiles(options.folder);
  const writer = openLine<WriterAsk, unknown>(workerUrl("writer", import.meta.url), opening);
  const reader = openLine<ReaderAsk, unknown>(workerUrl("reader", import.meta.url), { kind: "open", database });
  try {
    // The writer answers this ask with what its own type promises.
    const { storeId, warnings } = (await writer.ask(opening)) as Opened;
    await reader.ask({ kind: "open", database }); // Its start is part of ours: the first caller must not wait for it.
    return { store: sqliteStore({ storeId, writer, reader, clock: options.clock }), warnings };
  } catch (thrown) {
    await Promise.all([writer.end(), reader.end()]); // Who tries again each second must not gather threads.
    throw thrown;
  }
}

interface Lines {
  readonly storeId: string;
  readonly writer: Line<WriterAsk, unknown>;
  readonly reader: Line<ReaderAsk, unknown>;
  readonly clock: () => number;
}

/** How many threads one round of pruning looks at: a round must not keep writers waiting. */
const pruneRound = 32;

const pruneEvery = 60_000;

function sqliteStore({ storeId, writer, reader, clock }: Lines): ConversationStore {
  let pruned = 0;
  const prune = async (): Promise<number> => {
    // Each worker answers an ask with what its ask type says.
    const threads = (await reader.ask({ kind: "crowded", after: pruned, limit: pruneRound })) as readonly number[];
    pruned = threads.length < pruneRound ? 0 : (threads.at(-1) ?? 0);
    await forget(writer, "drains");
    return (await writer.ask({ kind: "prune", threads, now: clock() })) as number;
  };
  const operate = (write: OneWrite, until: number): Promise<unknown> => writer.ask({ kind: "operate", write, until });
  const timer = setInterval(() => prune().catch(() => undefined), pruneEvery); // The next round tries again.
  timer.unref();

  return {
    storeId,
    find: async (query) => (await reader.ask({ kind: "find", query })) as Found,
    look: async (query) => (await reader.ask({ kind: "look", query })) as Found,
    part: async (query) => (await reader.ask({ kind: "part", query })) as Uint8Array<ArrayBuffer>,
    times: async (query) => (await reader.ask({ kind: "times", query })) as readonly (Instant | undefined)[],
    list: async (query) => (await reader.ask({ kind: "list", query })) as Listed,
    async write(write, payload, until) {
      const answer = await writer.ask({ kind: "write", write, payload, until }, handover(payload));
      return answer as Outcome<Written>;
    },
    freeze: (write, until) => freezeAll(writer, write, until),
    async thaw(write, until) {
      const outcome = (await operate(write, until)) as Outcome<Thawed>;
      await forget(writer, "drains");
      await forget(writer, "verdicts");
      return outcome;
    },
    discard: async (write, until) => (await operate(write, until)) as Outcome<Placed>,
    erase: (write, until) => eraseAll(writer, write, until),
    holds: async () => (await reader.ask({ kind: "holds" })) as readonly ActiveHold[],
    drain: async (query) => (await reader.ask({ kind: "drain", query })) as DrainTally | undefined,
    unjudged: async (query, limit) => (await reader.ask({ kind: "unjudged", query, limit })) as readonly Unjudged[],
    async keepVerdicts(verdicts, terms) {
      await writer.ask({ kind: "verdicts", verdicts, terms });
    },
    prune,
    async close() {
      clearInterval(timer);
      await Promise.allSettled([writer.ask({ kind: "finish" }), reader.ask({ kind: "finish" })]);
      await Promise.all([writer.end(), reader.end()]);
    },
  };
}

function openAsk({ folder, separator, diskReserveBytes, allowNetworkFileSystem, clock }: SqliteOptions): OpenAsk {
  return { kind: "open", folder, separator, now: clock(), diskReserveBytes, allowNetworkFileSystem };
}

/** Copying a small payload costs less than handing its buffer over. */
const copiedBytes = 64 * 1024;

function handover({ bytes }: CutPayload): readonly ArrayBuffer[] {
  return bytes.length > copiedBytes ? [bytes.buffer] : [];
}
