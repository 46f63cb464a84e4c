import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { ThreadRef } from "../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  AdoptRequestSchema,
  AttributeRequestSchema,
  GetTranscriptRequestSchema,
  IssueRequestSchema,
  RegisterReplayRequestSchema,
  ReplayRequestSchema,
  type ReplayResponse,
  ResumeRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { EntryKind } from "../../src/gen/fermata/conversation/v1/transcript_pb.ts";
import { call, openDesk } from "../rpc/conversation/desk.ts";

const user = (content: string) => ({ role: "user", content });
const answer = (content: string) => ({ role: "assistant", content });
const calling = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
};
const document = (entries: unknown, format = "openai-chat/1") => ({
  format,
  content: { case: "text" as const, value: JSON.stringify(entries) },
});
const midFrame = [user("hi"), answer("hello"), user("look"), calling];
const whole = [user("hi"), answer("hello"), user("look"), answer("found")];

const window = {
  formats: { "acme-agent/2": { boundaryProofs: ["acme/turn-end/1"] }, "gemini-contents/1": { boundaryProofs: [] } },
};

describe("replays and transcripts over a store", () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let session = 0;
  beforeAll(async () => {
    desk = await openDesk({ window });
  });
  afterAll(() => desk.drop());

  const thread = (sessionId = `s${session}`) => ({
    by: { case: "identity" as const, value: { tenantId: "acme", sessionId } },
  });
  const byKey = (value: string, claimedTenantId?: string) => ({
    by: { case: "threadKey" as const, value },
    ...(claimedTenantId !== undefined && { claimedTenantId }),
  });
  async function issued(
    entries: unknown,
    wish: { head?: string; format?: string; proof?: string } = {},
  ): Promise<string> {
    if (wish.head === undefined) session += 1;
    const head = wish.head === undefined ? {} : { expectedHead: wish.head };
    const proof = wish.proof === undefined ? {} : { boundaryProof: wish.proof };
    const request = { key: thread().by, document: document(entries, wish.format), ...head, ...proof };
    return answered(await desk.issue(create(IssueRequestSchema, request), call)).checkpoint?.ref?.checkpointId ?? "";
  }
  async function replayed(ref: object = thread(), checkpointId?: string): Promise<Outcome<readonly ReplayResponse[]>> {
    const chosen = checkpointId === undefined ? {} : { checkpointId };
    const outcome = await desk.replay(create(ReplayRequestSchema, { thread: ref as ThreadRef, ...chosen }), call);
    if (outcome.kind === "refusal") return outcome;
    const messages: ReplayResponse[] = [];
    for await (const message of outcome.value) messages.push(message);
    return { kind: "ok", value: messages };
  }
  async function replayId(): Promise<string> {
    const [first] = answered(await replayed());
    return first?.part.case === "header" ? first.part.value.replayId : "";
  }
  function register(sourceCheckpointId: string, id: string, entries: unknown = whole, wish: object = {}) {
    const request = { replayId: id, sourceCheckpointId, document: document(entries), ...wish };
    return desk.registerReplay(create(RegisterReplayRequestSchema, request), call);
  }
  const resume = (checkpointId?: string) =>
    desk.resume(create(ResumeRequestSchema, { thread: thread(), ...(checkpointId && { checkpointId }) }), call);
  const transcript = (wish: object = {}) =>
    desk.getTranscript(create(GetTranscriptRequestSchema, { thread: thread(), ...wish }), call);

  it("puts the replay in the place of its source, which nobody goes on from any more", async () => {
    const source = await issued(midFrame);
    const id = await replayId();
    const { checkpoint, boundary, firstAnswerRepeated } = answered(await register(source, id));
    expect(checkpoint).toMatchObject({ sourceCheckpointId: source, parentCheckpointId: source, ref: { sequence: 2n } });
    expect([boundary?.proof, firstAnswerRepeated]).toEqual(["openai-chat/turn-complete/1", false]);
    expect(answered(await resume()).checkpoint?.ref?.checkpointId).toBe(checkpoint?.ref?.checkpointId);
    expect(await resume(source)).toMatchObject({ leaf: { case: "checkpointNotFound" } });
    expect(await replayed(thread(), source)).toMatchObject({ leaf: { case: "checkpointNotFound" } });
  });

  it("gives the same bytes their first answer, and comes too late for others", async () => {
    const source = await issued(midFrame);
    const id = await replayId();
    const first = answered(await register(source, id));
    for (const wish of [{}, { idempotencyKey: "another" }, { host: { runtime: "other" } }]) {
      const again = answered(await register(source, id, whole, wish));
      expect([again.firstAnswerRepeated, again.checkpoint]).toEqual([true, first.checkpoint]);
    }
    const other = [...whole.slice(0, 3), answer("found another")];
    expect(await register(source, id, other)).toMatchObject({
      leaf: { case: "headConflict", value: { actualHead: first.checkpoint?.ref?.checkpointId } },
    });
  });

  it("lets one of eight registrations win", async () => {
    const source = await issued(midFrame);
    const id = await replayId();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_unused, at) => register(source, id, [...whole.slice(0, 3), answer(`by ${at}`)])),
    );
    expect(outcomes.filter(({ kind }) => kind === "ok")).toHaveLength(1);
    for (const lost of outcomes.filter(({ kind }) => kind !== "ok"))
      expect(lost).toMatchObject({ leaf: { case: "headConflict" } });
  });

  it.each([
    { what: "in the middle of a turn", entries: midFrame, leaf: "unsafeBoundary" },
    { what: "of another format than it says", entries: { not: "a list" }, leaf: "checkpointFormat" },
  ])("takes no document $what", async ({ entries, leaf }) => {
    const source = await issued(midFrame);
    expect(await register(source, await replayId(), entries)).toMatchObject({ leaf: { case: leaf } });
    expect((await resume()).kind).toBe("refusal");
  });

  it("leaves nothing when a replay is read and given up", async () => {
    const source = await issued(midFrame);
    const before = dump(desk.folder);
    const outcome = await desk.replay(create(ReplayRequestSchema, { thread: thread() }), call);
    for await (const _ of answered(outcome)) break;
    expect(dump(desk.folder)).toEqual(before);
    expect(await resume(source)).toMatchObject({ leaf: { case: "unsafeBoundary", value: { replayPossible: true } } });
  });

  it("replays the payload of an envelope that a host keeps in a document", async () => {
    await issued(whole);
    const found = await desk.store.find({
      thread: { by: "key", key: `acme:_:s${session}` },
      checkpointId: undefined,
      accepted: [],
    });
    if (found.kind !== "checkpoint") throw new Error(found.kind);
    const { seal } = await import("../../src/domain/conversation/sealed.ts");
    await issued(JSON.parse(seal(found.checkpoint, found.payload ?? new Uint8Array())));
    const contents = answered(await replayed()).flatMap(({ part }) =>
      part.case === "entries" ? part.value.entries : [],
    );
    expect(contents.map(({ entry }) => JSON.parse(Buffer.from(entry?.content ?? []).toString()))).toEqual(whole);
    expect(answered(await transcript()).entries).toHaveLength(4);
  });

  it.each([
    {
      what: "a format without an adapter",
      format: "acme-agent/2",
      proof: "acme/turn-end/1",
      leaf: { cause: 1, threadKey: expect.any(String) },
      reason: "transcriptUnavailable",
    },
    { what: "one without a boundary either", format: "acme-agent/2", leaf: { cause: 15 }, reason: "unsafeBoundary" },
    {
      what: "a format of which no proof is published",
      format: "gemini-contents/1",
      leaf: { replayPossible: false },
      reason: "unsafeBoundary",
    },
  ])("refuses the replay of $what", async ({ format, proof, leaf, reason }) => {
    await issued([{ role: "user", parts: [{ text: "hi" }] }], { format, ...(proof !== undefined && { proof }) });
    const { cause: _, ...facts } = leaf as { cause?: number };
    expect(await replayed()).toMatchObject({ leaf: { case: reason, value: facts } });
    if (format === "acme-agent/2") {
      expect(await transcript()).toMatchObject({ leaf: { case: "transcriptUnavailable", value: { cause: 1 } } });
    }
  });

  it("names an older checkpoint that is safe where the document itself has no boundary", async () => {
    const safe = await issued(whole);
    await issued([{ role: "user", parts: [{ text: "hi" }] }], { head: safe, format: "gemini-contents/1" });
    const facts = { lastSafeCheckpointId: safe, replayPossible: false };
    expect(await replayed()).toMatchObject({ leaf: { case: "unsafeBoundary", value: facts } });
    expect(await resume()).toMatchObject({ leaf: { case: "unsafeBoundary", value: facts } });
    expect((await resume(safe)).kind).toBe("ok");
  });

  it("pages a transcript by size, kind and place", async () => {
    await issued(Array.from({ length: 5 }, (_unused, at) => [user(`${at}`), answer("x".repeat(300_000))]).flat());
    const pages: number[][] = [];
    for (let after: bigint | undefined, end = false; !end; ) {
      const page = answered(await transcript(after === undefined ? {} : { afterPosition: after }));
      pages.push(page.entries.map(({ position }) => Number(position)));
      [after, end] = [page.entries.at(-1)?.position, page.end];
    }
    expect(pages).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [7, 8, 9],
    ]);
    const users = answered(await transcript({ kinds: [EntryKind.USER], pageSize: 2, afterPosition: 1n }));
    expect([users.entries.map(({ position }) => Number(position)), users.end]).toEqual([[2, 4], false]);
    const past = answered(await transcript({ afterPosition: 9n }));
    expect([past.entries, past.end]).toEqual([[], true]);
  });

  it("never shows a damaged document as an empty transcript", async () => {
    await issued([user("a"), answer("b")]);
    const key = `acme:_:s${session}`;
    const db = new DatabaseSync(join(desk.folder, "fermata.sqlite"), { timeout: 5_000 });
    db.prepare(
      "UPDATE chunk SET bytes = zeroblob(length(bytes)) WHERE thread_id = (SELECT id FROM thread WHERE thread_key = ?)",
    ).run(key);
    db.close();
    expect(await transcript()).toMatchObject({
      leaf: { case: "transcriptUnavailable", value: { cause: 3, threadKey: key } },
    });
    expect(await replayed()).toMatchObject({ leaf: { case: "checkpointFormat", value: { cause: 2 } } });
  });

  it("names no tenant of a quarantined key in any read, until an operator has", async () => {
    const key = "canary:_:2024:05";
    const adopted = { case: "threadKey" as const, value: key };
    const adopt = { key: adopted, derivation: "symfonic/9", document: document(whole), writtenTime: { seconds: 1n } };
    answered(await desk.adopt(create(AdoptRequestSchema, adopt), call));
    const read = (ref: object) =>
      desk.getTranscript(create(GetTranscriptRequestSchema, { thread: ref as ThreadRef }), call);
    const identity = { by: { case: "identity" as const, value: { tenantId: "canary", sessionId: "2024:05" } } };
    for (const ref of [byKey(key, "canary"), byKey(key, "other"), identity]) {
      for (const outcome of [await replayed(ref), await read(ref)]) {
        expect(outcome).toMatchObject({
          leaf: { case: "ambiguousThreadKey", value: { direction: 2, resumable: true } },
        });
      }
    }
    expect((await replayed(byKey(key))).kind).toBe("ok");
    const record = { threadKey: key, tenantId: "canary", sessionId: "2024:05", actor: "op", reason: "ledger" };
    for (const _ of [1, 2]) {
      const { head } = answered(await desk.attribute(create(AttributeRequestSchema, record), call));
      expect([head?.tenantId, head?.quarantined]).toEqual(["canary", false]);
    }
    for (const ref of [byKey(key, "canary"), identity]) expect((await read(ref)).kind).toBe("ok");
    expect(await read(byKey(key, "other"))).toMatchObject({ leaf: { case: "sessionIdentity" } });
    const corrected = { ...record, tenantId: "umbrella", supersedes: "canary" };
    expect(answered(await desk.attribute(create(AttributeRequestSchema, corrected), call)).head?.tenantId).toBe(
      "umbrella",
    );
    expect(await read(identity)).toMatchObject({ leaf: { case: "threadNotFound" } });
  });
});

function answered<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "refusal")
    throw new Error(
      `${outcome.leaf.case} ${JSON.stringify(outcome.leaf.value, (_, v) => (typeof v === "bigint" ? String(v) : v))}`,
    );
  return outcome.value;
}

/** All rows of the tables that a write would touch. */
function dump(folder: string): unknown {
  const db = new DatabaseSync(join(folder, "fermata.sqlite"), { readOnly: true });
  const rows = ["thread", "checkpoint", "chunk", "idempotency", "entry_seen", "attribution", "audit"].map((table) =>
    db.prepare(`SELECT * FROM ${table}`).all(),
  );
  db.close();
  return rows;
}
