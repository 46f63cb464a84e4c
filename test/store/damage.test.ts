import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideResume } from "../../src/domain/conversation/resume.ts";
import {
  IssueRequestSchema,
  ResumeRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { examineStored } from "../../src/store/document-work.ts";
import { StoreFault } from "../../src/store/fault.ts";
import { openForReading } from "../../src/store/sqlite/connection.ts";
import { guarded } from "../../src/store/sqlite/faults.ts";
import { find } from "../../src/store/sqlite/find.ts";
import { refuseDamagedSchema } from "../../src/store/sqlite/migrate.ts";
import { readMeta } from "../../src/store/sqlite/store-meta.ts";
import { call, openDesk } from "../rpc/conversation/desk.ts";
import { identity, turn } from "./writes.ts";

const texts = { s1: turn("mine"), s2: turn("another"), s3: turn("more ".repeat(3000)) } as const;
type Session = keyof typeof texts;

const request = (sessionId: string) =>
  create(ResumeRequestSchema, { thread: { by: { case: "identity", value: { tenantId: "acme", sessionId } } } });

/** A store with three threads, closed, so that all of it stands in the main file. */
async function writeStore(folder: string): Promise<void> {
  const desk = await openDesk({ folder });
  for (const [sessionId, text] of Object.entries(texts)) {
    for (const [content, expectedHead] of await twice(desk, sessionId, text)) {
      const outcome = await desk.issue(issueOf(sessionId, content, expectedHead), call);
      expect(outcome.kind).toBe("ok");
    }
  }
  await desk.close();
}

/** An older checkpoint below each head: a wrong head would have somewhere to point to. */
async function twice(desk: Awaited<ReturnType<typeof openDesk>>, sessionId: string, text: string) {
  const first = await desk.issue(issueOf(sessionId, turn("older"), undefined), call);
  if (first.kind !== "ok") throw new Error(first.leaf.case);
  return [[text, first.value.checkpoint?.ref?.checkpointId]] as const;
}

function issueOf(sessionId: string, text: string, expectedHead: string | undefined) {
  return create(IssueRequestSchema, {
    key: { case: "identity", value: { tenantId: "acme", sessionId } },
    document: { format: "openai-chat/1", content: { case: "text", value: text } },
    host: { runtime: "runtime", version: "1", model: "model" },
    ...(expectedHead === undefined ? {} : { expectedHead }),
  });
}

/** The answer for a session, in a word: what was written, damage named as such, or anything else spelled out. */
async function answerFor(desk: Awaited<ReturnType<typeof openDesk>>, session: Session): Promise<string> {
  try {
    const outcome = await desk.resume(request(session), call);
    if (outcome.kind === "ok") {
      return outcome.value.document?.content.value === texts[session] ? "whole" : "another document";
    }
    const { leaf } = outcome;
    return leaf.case === "checkpointFormat" && leaf.value.cause === 2 ? "damage" : leaf.case;
  } catch (thrown) {
    if (thrown instanceof StoreFault) return thrown.fault === "corrupt" ? "damage" : thrown.fault;
    throw thrown;
  }
}

describe("a damaged store", () => {
  const folder = mkdtempSync(join(tmpdir(), "fermata-damage-"));
  const intact = join(folder, "intact");
  const database = join(intact, "fermata.sqlite");
  beforeAll(() => writeStore(intact));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("answers with the document while it is whole", async () => {
    const desk = await openDesk({ folder: intact });
    for (const session of ["s1", "s2", "s3"] as const) expect(await answerFor(desk, session)).toBe("whole");
    await desk.close();
  });

  it.each([
    "checkpoint_id",
    "sequence",
    "parent_checkpoint_id",
    "source_checkpoint_id",
    "envelope_version",
    "origin",
    "create_time",
    "written_time",
    "host_runtime",
    "host_version",
    "host_model",
    "format",
    "boundary_kind",
    "boundary_proof",
    "boundary_entries",
    "claimed_proof",
    "payload_kind",
    "payload_length",
    "payload_digest",
    "digest",
    "state",
    "chunks",
    "pruned_at",
  ])("never another answer when any byte of the envelope's %s is flipped", async (column) => {
    const desk = await openDesk({ folder: intact });
    const db = looseDatabase(database);
    const row = db
      .prepare(
        "SELECT c.id FROM checkpoint c JOIN thread t ON t.id = c.thread_id WHERE t.session_id = 's1' AND c.sequence = 2",
      )
      .get();
    const id = BigInt(Number(row?.["id"]));
    const kept = columnValue(db, column, id);
    const update = db.prepare(`UPDATE checkpoint SET ${column} = ? WHERE id = ?`);
    for (const flipped of flips(kept)) {
      update.run(flipped, id);
      expect([column, String(flipped), await answerFor(desk, "s1")]).toEqual([column, String(flipped), "damage"]);
    }
    update.run(kept, id);
    expect(await answerFor(desk, "s1")).toBe("whole");
    db.close();
    await desk.close();
  });

  it("never another answer when any byte of a payload is flipped", async () => {
    const desk = await openDesk({ folder: intact });
    const db = looseDatabase(database);
    const rows = db
      .prepare("SELECT k.id, k.bytes FROM chunk k JOIN thread t ON t.id = k.thread_id WHERE t.session_id = 's1'")
      .all();
    const mine = rows.filter(({ bytes }) => Buffer.from(bytes as Uint8Array).equals(Buffer.from(texts.s1)));
    expect(mine).toHaveLength(1);
    const id = BigInt(Number(mine[0]?.["id"]));
    const update = db.prepare("UPDATE chunk SET bytes = ? WHERE id = ?");
    for (const flipped of flips(new Uint8Array(Buffer.from(texts.s1)))) {
      update.run(flipped, id);
      expect(await answerFor(desk, "s1")).toBe("damage");
    }
    update.run(Buffer.from(texts.s1), id);
    update.run(Buffer.concat([Buffer.from(texts.s1), Buffer.from(" ")]), id);
    expect(await answerFor(desk, "s1")).toBe("damage");
    update.run(Buffer.from(texts.s1), id);
    expect(await answerFor(desk, "s1")).toBe("whole");
    db.close();
    await desk.close();
  });

  it.each([
    { name: "checkpoints of two threads", sql: exchange("checkpoint", "thread_id") },
    { name: "the chunks of two threads", sql: exchange("chunk", "thread_id") },
    { name: "the keys of two threads", sql: exchange("thread", "id") },
    {
      name: "the bytes of two documents",
      sql: `CREATE TEMP TABLE o AS SELECT thread_id, max(id) AS id, bytes FROM chunk GROUP BY thread_id;
            UPDATE chunk SET bytes = (SELECT o.bytes FROM o WHERE o.thread_id = 3 - chunk.thread_id) WHERE thread_id IN (1, 2)`,
    },
    {
      name: "the chunk lists of two checkpoints",
      sql: `CREATE TEMP TABLE o AS SELECT * FROM checkpoint WHERE sequence = 2;
            UPDATE checkpoint SET chunks = (SELECT o.chunks FROM o WHERE o.thread_id = 3 - checkpoint.thread_id)
            WHERE thread_id IN (1, 2) AND sequence = 2`,
    },
    {
      name: "the identities of two threads",
      sql: "UPDATE thread SET session_id = 'x' || session_id WHERE id IN (1, 2); UPDATE thread SET session_id = iif(id = 1, 's2', 's1') WHERE id IN (1, 2)",
    },
    {
      name: "the heads of two threads",
      sql: `CREATE TEMP TABLE o AS SELECT * FROM thread;
            UPDATE thread SET head_checkpoint_id = (SELECT o.head_checkpoint_id FROM o WHERE o.id = 3 - thread.id)
            WHERE id IN (1, 2)`,
    },
    { name: "a head and its predecessor", sql: "UPDATE thread SET head_sequence = 1 WHERE id IN (1, 2)" },
    { name: "proved and unproved identities", sql: "UPDATE thread SET minted = 0 WHERE id IN (1, 2)" },
    { name: "a key and another", sql: "UPDATE thread SET thread_key = thread_key || '1' WHERE id IN (1, 2)" },
  ])("never another answer when somebody swaps $name", async ({ sql }) => {
    const place = copyOf(intact, join(folder, "swapped"));
    const db = looseDatabase(join(place, "fermata.sqlite"));
    db.exec(sql);
    db.close();
    const desk = await openDesk({ folder: place });
    const answers = [await answerFor(desk, "s1"), await answerFor(desk, "s2")];
    expect(answers).toEqual(["damage", "damage"]);
    expect(await answerFor(desk, "s3")).toBe("whole");
    await desk.close();
  });

  it("is refused by name, or answers as damaged, when the main file is cut at any page", async () => {
    const { size } = statSync(database);
    const pages = size / 4096;
    expect(Number.isInteger(pages)).toBe(true);
    for (let page = 0; page < pages; page += 1) {
      const place = copyOf(intact, join(folder, "cut"));
      truncateSync(join(place, "fermata.sqlite"), page * 4096);
      expect([page, await answersOf(place)]).toEqual([page, ["damage", "damage", "damage"]]);
    }
  });

  it("never another document when any byte of the main file is another", () => {
    const bytes = readFileSync(database);
    const file = join(folder, "flipped.sqlite");
    const seen = new Map<string, number>();
    for (let at = 7; at < bytes.length; at += 97) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      writeFileSync(file, damaged);
      for (const answer of directAnswers(file)) seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }
    // A damaged index over the keys can hide a thread from those who ask by key, and verify-store tells; by identity
    // it is damage, or the checkpoint is found to be another's.
    expect([...seen.keys()].toSorted()).toEqual(["damage", "whole"]);
  });

  it("does not begin anew where a store has been", async () => {
    const place = copyOf(intact, join(folder, "gone"));
    rmSync(join(place, "fermata.sqlite"));
    expect(await answersOf(place)).toEqual(["damage", "damage", "damage"]);
  });
});

/** The same decision on this thread, without workers: thousands of damaged files are read. */
function directAnswers(file: string): readonly string[] {
  return (["s1", "s2", "s3"] as const).map((session) => {
    try {
      return guarded(() => directAnswer(file, session));
    } catch (thrown) {
      if (thrown instanceof StoreFault) return thrown.fault === "corrupt" ? "damage" : thrown.fault;
      throw thrown;
    }
  });
}

function directAnswer(file: string, session: Session): string {
  const connection = openForReading(file);
  try {
    const meta = readMeta(connection);
    if (meta?.separator !== ":" || meta.schema !== 3 || meta.minBinary !== 2) return "damage"; // It would not start.
    refuseDamagedSchema(connection, meta);
    const found = find(connection, { thread: identity("acme", session), checkpointId: undefined, accepted: [] });
    const bytes = found.kind === "checkpoint" ? found.payload : undefined;
    const terms = { format: "openai-chat/1", claimedProof: undefined, listed: [], published: new Set([proof]) };
    const examined = bytes === undefined ? undefined : examineStored({ kind: "text", bytes, ...terms });
    const asked = { claimedTenantId: undefined, checkpointId: undefined };
    const outcome = decideResume({ asked, found, examined, format: undefined, now: 0 });
    if (outcome.kind === "refusal") {
      const { leaf } = outcome;
      return leaf.case === "checkpointFormat" && leaf.value.cause === 2 ? "damage" : leaf.case;
    }
    return Buffer.from(bytes ?? []).toString() === texts[session] ? "whole" : "another document";
  } finally {
    connection.db.close();
  }
}

const proof = "openai-chat/turn-complete/1";

/** Two threads' rows change places; the detour keeps unique rules satisfied on the way. */
function exchange(table: "checkpoint" | "chunk" | "thread", column: string): string {
  return `UPDATE ${table} SET ${column} = ${column} + 100 WHERE ${column} IN (1, 2);
          UPDATE ${table} SET ${column} = 203 - ${column} - 100 WHERE ${column} IN (101, 102)`;
}

async function answersOf(folder: string): Promise<readonly string[]> {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  try {
    desk = await openDesk({ folder });
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    const word = ["corrupt", "schema", "separator", "sealed"].includes(thrown.fault) ? "damage" : thrown.fault;
    return [word, word, word];
  }
  const answers = [await answerFor(desk, "s1"), await answerFor(desk, "s2"), await answerFor(desk, "s3")];
  await desk.close();
  return answers;
}

function copyOf(from: string, to: string): string {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const file of ["store-id", "fermata.sqlite"]) copyFileSync(join(from, file), join(to, file));
  return to;
}

/** A connection that writes what no program of ours would: damage asks for no constraint. */
function looseDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
  db.enableDefensive(false);
  db.exec("PRAGMA ignore_check_constraints = ON");
  return db;
}

type Value = string | bigint | Uint8Array | null;

function columnValue(db: DatabaseSync, column: string, id: bigint): Value {
  const read = db.prepare(`SELECT ${column} AS value FROM checkpoint WHERE id = ?`);
  read.setReadBigInts(true);
  return (read.get(id)?.["value"] ?? null) as Value;
}

/** Every value that differs in one byte of one kind of flip; for an absent one, some that are there. */
function flips(value: Value): readonly Value[] {
  if (value === null) return [1n];
  if (typeof value === "bigint")
    return Array.from({ length: 8 }, (_, byte) => BigInt.asIntN(64, value ^ (0x41n << BigInt(byte * 8))));
  if (typeof value === "string") {
    return [...flipBytes(Buffer.from(value))].map((bytes) => bytes.toString("latin1"));
  }
  return value.length === 0 ? [Buffer.from("12345678")] : [...flipBytes(Buffer.from(value))];
}

function* flipBytes(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 0x01;
    yield flipped;
  }
}
