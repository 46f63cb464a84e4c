import { StoreFault } from "../fault.ts";
import { answered, onAsk, type Posted, post, type Sent, threw } from "../worker-post.ts";
import { commitBatch, type Result } from "./batch.ts";
import { type Connection, letGo, openForWriting, stopWaiting } from "./connection.ts";
import { type EraseRound, eraseSome, forgetPages } from "./erase.ts";
import { guarded } from "./faults.ts";
import { freeBytes, markedStore, markStore, prepareFolder, type StoreFiles, storeFiles } from "./folder.ts";
import { migrate } from "./migrate.ts";
import { keepOlderCopy, removeOlderCopies } from "./older-copy.ts";
import { forgetRound, freezeRound, operate, refuseExpired } from "./operate.ts";
import { pruneAnswers, pruneAudit, pruneThread, shrink } from "./prune.ts";
import { keepVerdicts } from "./verdicts.ts";
import type { EraseAsk, OpenAsk, Opened, PruneAsk, WriteAsk, WriterAsk } from "./writer-asks.ts";

/** How much one transaction takes: enough to share one sync among many, little enough to answer soon. */
const batchLimit = { writes: 64, bytes: 1024 * 1024 } as const;

const queue: Posted<WriterAsk>[] = [];
let opened: OpenAsk | undefined;
let connection: Connection | undefined;
let scheduled = false;

onAsk<WriterAsk>((posted) => {
  queue.push(posted);
  if (!scheduled) schedule();
});

/** The immediate lets every ask that has arrived while the last batch was synced join the next one. */
function schedule(): void {
  scheduled = true;
  setImmediate(() => {
    post(next());
    scheduled = false;
    if (queue.length > 0) schedule();
  });
}

function next(): readonly Sent[] {
  const first = queue[0];
  if (first === undefined) return [];
  if (first.ask.kind === "write") return writeBatch(takeWrites());
  queue.shift();
  return [attempt(first)];
}

function attempt({ id, ask }: Posted<WriterAsk>): Sent {
  try {
    return answered(
      id,
      guarded(() => answerTo(ask)),
    );
  } catch (thrown) {
    if (thrown instanceof StoreFault) forgetConnection();
    return threw(id, thrown);
  }
}

function answerTo(ask: WriterAsk): unknown {
  switch (ask.kind) {
    case "open":
      return open(ask);
    case "operate":
      return operate(current(), ask.write, ask.until);
    case "freeze":
      return freezeRound(current(), ask.write, ask.until);
    case "forget":
      return forgetRound(current(), ask.what);
    case "erase":
      return erase(ask);
    case "verdicts":
      return keepVerdicts(current(), ask.verdicts, ask.terms);
    case "prune":
      return prune(ask);
    case "finish":
      return forgetConnection();
    case "write":
      return undefined;
  }
}

function open(ask: OpenAsk): Opened {
  opened = ask;
  forgetConnection();
  const files = storeFiles(ask.folder);
  const warnings = prepareFolder(files, ask.allowNetworkFileSystem);
  return { storeId: connect(files, ask), warnings };
}

/** A marker without its store is a loss that must not look like a beginning. */
function connect(files: StoreFiles, ask: OpenAsk): string {
  const marked = markedStore(files);
  const candidate = openForWriting(files.database);
  try {
    if (marked !== undefined) refuseEmpty(candidate);
    keepOlderCopy(candidate, files);
    const { storeId } = migrate(candidate, ask.separator, ask.now);
    if (marked !== undefined && marked !== storeId) {
      throw new StoreFault("corrupt", `the database is store ${storeId}, but the folder belongs to store ${marked}`);
    }
    if (marked === undefined) markStore(files, storeId);
    stopWaiting(candidate);
    connection = candidate;
    return storeId;
  } catch (thrown) {
    candidate.db.close();
    throw thrown;
  }
}

function refuseEmpty({ db }: Connection): void {
  if (db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined) return;
  throw new StoreFault("corrupt", "the database file is empty, but the folder has held a store");
}

/** The open connection, or a new one after a fault: what a failed sync has left behind is read again from the disk. */
function current(): Connection {
  if (opened === undefined) throw new StoreFault("closed", "the store has not been opened");
  if (connection === undefined) connect(storeFiles(opened.folder), opened);
  if (connection === undefined) throw new StoreFault("closed", "the store could not be opened again");
  return connection;
}

function forgetConnection(): void {
  if (connection !== undefined) letGo(connection);
  connection = undefined;
}

function takeWrites(): readonly Posted<WriteAsk>[] {
  const taken: Posted<WriteAsk>[] = [];
  let bytes = 0;
  while (taken.length < batchLimit.writes && bytes < batchLimit.bytes) {
    const first = queue[0];
    if (first?.ask.kind !== "write") break;
    queue.shift();
    taken.push({ id: first.id, ask: first.ask });
    bytes += first.ask.payload.bytes.length;
  }
  return taken;
}

function writeBatch(asks: readonly Posted<WriteAsk>[]): readonly Sent[] {
  const now = Date.now();
  const late = asks.filter(({ ask }) => ask.until <= now);
  const timely = asks.filter(({ ask }) => ask.until > now);
  const expired = new StoreFault("expired", "the caller's deadline passed before the write began");
  return [...late.map(({ id }) => threw(id, expired)), ...commit(timely)];
}

function commit(asks: readonly Posted<WriteAsk>[]): readonly Sent[] {
  if (asks.length === 0) return [];
  try {
    const results = guarded(() => {
      refuseFullDisk();
      return commitBatch(
        current(),
        asks.map(({ ask }) => ask),
      );
    });
    return asks.map(({ id }, position) => sentOf(id, results[position]));
  } catch (thrown) {
    if (thrown instanceof StoreFault && thrown.fault !== "full" && thrown.fault !== "busy") forgetConnection();
    return asks.map(({ id }) => threw(id, thrown));
  }
}

function sentOf(id: number, result: Result | undefined): Sent {
  if (result === undefined) return threw(id, new Error("a batch answered fewer writes than it took"));
  return "thrown" in result ? threw(id, result.thrown) : answered(id, result.outcome);
}

/** A reserve keeps room for a freeze, a drain and pruning: on a full disk even a DELETE fails. */
function refuseFullDisk(): void {
  if (opened === undefined) return;
  const free = freeBytes(storeFiles(opened.folder));
  if (free < opened.diskReserveBytes) {
    throw new StoreFault("full", `${free} bytes are free and ${opened.diskReserveBytes} are kept in reserve`);
  }
}

function erase({ write, last, until }: EraseAsk): EraseRound {
  refuseExpired(until);
  const on = current();
  const round = eraseSome(on, write, last);
  if (!round.more && !write.dryRun) forgetErased(on);
  return round;
}

/** Nothing of what was erased may be left in any file of the store. */
function forgetErased(on: Connection): void {
  forgetPages(on);
  if (opened !== undefined) removeOlderCopies(storeFiles(opened.folder));
}

function prune({ threads, now }: PruneAsk): number {
  const on = current();
  const dropped = threads.reduce((sum, thread) => sum + pruneThread(on, thread, now), 0);
  pruneAnswers(on, now);
  pruneAudit(on, now);
  shrink(on);
  return dropped;
}
