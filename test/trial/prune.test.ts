import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { keptPayloads } from "../../src/domain/conversation/retention.ts";
import type * as Sqlite from "../../src/store/sqlite/store.ts";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { acknowledged, identity, turn } from "../store/writes.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { root } from "./checkout.ts";
import { brokenVariant } from "./variant.ts";

const written = 1_700_000_000_000;
const twoHoursLater = written + 2 * 3_600_000;
const perThread = 90;
const threads = 4;
/** More than are kept, so that a text comes back when its chunks are just about to go. */
const texts = keptPayloads + 4;

const textAt = (place: number): string =>
  Array.from({ length: 1_500 }, (_, line) => `${place % texts} says line ${line}`).join("\n");

const contentAt = (session: string, place: number): string => turn(`${textAt(place)}\n${session} ${place}`);

/** Two engines of a checkout on one folder: one writes while the other prunes all the time, and all that is old may go. */
async function pruneAgainstIssue(checkout: string, folder: string) {
  const { openSqlite }: typeof Sqlite = await import(pathToFileURL(join(checkout, "src/store/sqlite/store.ts")).href);
  const options = {
    folder,
    separator: ":",
    diskReserveBytes: 0,
    allowNetworkFileSystem: false,
    clock: () => twoHoursLater,
  };
  const { store } = await openSqlite(options);
  const { store: pruner } = await openSqlite(options);
  const ids = new Map<string, string[]>();
  const writeThread = async (session: string): Promise<void> => {
    const own: string[] = [];
    ids.set(session, own);
    for (let place = 0; place < perThread; place += 1) {
      const wish = { session, content: contentAt(session, place), now: written };
      const expectedHead = own.at(-1);
      own.push(await acknowledged(store, expectedHead === undefined ? wish : { ...wish, expectedHead }));
    }
  };
  const writing = Promise.all(Array.from({ length: threads }, (_, name) => writeThread(`p${name}`)));
  let writes = true;
  void writing.finally(() => (writes = false));
  let pruned = 0;
  while (writes) pruned += await pruner.prune();
  await writing;
  const lost: string[] = [];
  for (const [session, own] of ids) {
    for (let place = perThread - keptPayloads; place < perThread; place += 1) {
      const found = await store.find({ thread: identity("acme", session), checkpointId: own[place], accepted: [] });
      const bytes = found.kind === "checkpoint" ? Buffer.from(found.payload ?? []).toString() : "";
      if (bytes !== contentAt(session, place)) lost.push(`${session}/${place}`);
    }
  }
  await pruner.close();
  await store.close();
  return { pruned, lost };
}

describe("pruning against issuance", () => {
  const folder = temporaryFolder();
  afterEach(() => folder.remove());

  it("loses no payload that is kept, though their chunks are about to go", async () => {
    const { pruned, lost } = await pruneAgainstIssue(root, folder.path);
    console.log({ pruned, lost });
    expect(lost).toEqual([]);
    expect(pruned).toBeGreaterThan((threads * (perThread - keptPayloads)) / 2);
    expect(verifyFolder(folder.path)).toMatchObject({ damage: [], checkpoints: threads * perThread });
  });

  it("would, if it listed the chunks before it takes the lock", async () => {
    const variant = brokenVariant({
      name: "a pruning that looks before it locks",
      file: "src/store/sqlite/prune.ts",
      from: `  return inTransaction(connection, () => {
    const rows = payloadedRows(connection, thread);
    const gone = droppable(rows, headOf(connection, thread), now);
    const chunks = goneChunks(rows, gone);
`,
      to: `  const rows = payloadedRows(connection, thread);
  const gone = droppable(rows, headOf(connection, thread), now);
  const chunks = goneChunks(rows, gone);
  return inTransaction(connection, () => {
`,
    });
    try {
      let lost: readonly string[] = [];
      for (let attempt = 0; attempt < 10 && lost.length === 0; attempt += 1) {
        folder.remove();
        lost = (await pruneAgainstIssue(variant.checkout, folder.path)).lost;
      }
      console.log(variant.diff, { lost });
      expect(lost.length).toBeGreaterThan(0);
    } finally {
      variant.remove();
    }
  });
});
