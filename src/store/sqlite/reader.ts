import type { DrainQuery } from "../../domain/conversation/drain-query.ts";
import type { Found } from "../../domain/conversation/found.ts";
import type { FindQuery, ListQuery, PartQuery, TimesQuery } from "../ports.ts";
import { answered, onAsk, type Posted, post, type Sent, threw } from "../worker-post.ts";
import { type Connection, letGo, openForReading } from "./connection.ts";
import { readDrain, readUnjudged } from "./drain.ts";
import { entryTimes } from "./entry-times.ts";
import { guarded } from "./faults.ts";
import { find, look } from "./find.ts";
import { readActiveHolds, readHolds } from "./gate.ts";
import { list } from "./list.ts";
import { readPart } from "./part.ts";
import { crowdedThreads } from "./prune.ts";

/** What the reader is asked. Each is one short read transaction: a long one would let the WAL grow without end. */
export type ReaderAsk =
  | { readonly kind: "open"; readonly database: string }
  | { readonly kind: "find"; readonly query: FindQuery }
  | { readonly kind: "look"; readonly query: Omit<FindQuery, "accepted"> }
  | { readonly kind: "part"; readonly query: PartQuery }
  | { readonly kind: "times"; readonly query: TimesQuery }
  | { readonly kind: "list"; readonly query: ListQuery }
  | { readonly kind: "holds" }
  | { readonly kind: "drain"; readonly query: DrainQuery }
  | { readonly kind: "unjudged"; readonly query: DrainQuery; readonly limit: number }
  | { readonly kind: "crowded"; readonly after: number; readonly limit: number }
  | { readonly kind: "finish" };

let database: string | undefined;
let connection: Connection | undefined;

onAsk<ReaderAsk>((posted) => post([attempt(posted)]));

function attempt({ id, ask }: Posted<ReaderAsk>): Sent {
  try {
    return guarded(() => reply(id, ask));
  } catch (thrown) {
    forgetConnection();
    return threw(id, thrown);
  }
}

function reply(id: number, ask: ReaderAsk): Sent {
  switch (ask.kind) {
    case "open":
      database = ask.database;
      inRead(readHolds);
      return answered(id, undefined);
    case "find":
      return withPayload(
        id,
        inRead((on) => find(on, ask.query)),
      );
    case "look":
      return readFor(id, (on) => look(on, ask.query));
    case "part": {
      const part = inRead((on) => readPart(on, ask.query));
      return answered(id, part, [part.buffer]);
    }
    case "times":
      return readFor(id, (on) => entryTimes(on, ask.query));
    case "list":
      return readFor(id, (on) => list(on, ask.query));
    case "holds":
      return readFor(id, readActiveHolds);
    case "drain":
      return readFor(id, (on) => readDrain(on, ask.query));
    case "unjudged":
      return readFor(id, (on) => readUnjudged(on, ask.query, ask.limit));
    case "crowded":
      return readFor(id, (on) => crowdedThreads(on, ask.after, ask.limit));
    case "finish":
      forgetConnection();
      return answered(id, undefined);
  }
}

function readFor(id: number, work: (on: Connection) => unknown): Sent {
  return answered(id, inRead(work));
}

/** A payload stands in a buffer of its own, so it is moved to the other thread and not copied. */
function withPayload(id: number, found: Found): Sent {
  const payload = found.kind === "checkpoint" ? found.payload : undefined;
  return answered(id, found, payload === undefined ? [] : [payload.buffer]);
}

function inRead<T>(work: (on: Connection) => T): T {
  const on = current();
  on.statement("BEGIN").run();
  try {
    return work(on);
  } finally {
    on.statement("COMMIT").run();
  }
}

function current(): Connection {
  if (database === undefined) throw new Error("the reader was asked before it was told which database");
  connection ??= openForReading(database);
  return connection;
}

function forgetConnection(): void {
  if (connection !== undefined) letGo(connection);
  connection = undefined;
}
