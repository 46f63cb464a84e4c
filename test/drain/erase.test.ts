import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import {
  AdoptRequestSchema,
  AttributeRequestSchema,
  EraseRequestSchema,
  FreezeRequestSchema,
  GetDrainRequestSchema,
  IssueRequestSchema,
  RegisterReplayRequestSchema,
  ReplayRequestSchema,
  ThawRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { call, openDesk } from "../rpc/conversation/desk.ts";

const canary = "c4n4ry-kP7x";
const mark = (field: string): string => `${canary}-${field}`;
const by = { actor: "op", reason: "asked by the person" };
const scope = { scope: { case: "tenantId" as const, value: mark("tenant") } };
const large = 400_000;

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => {
  desk = await openDesk({ window: { formats: { "opaque/1": {} } } });
});
afterAll(() => desk.drop());

it.each(["thread", "tenant"] as const)(
  "leaves nothing of a %s in any file of the store, and says who, why and how many",
  async (what) => {
    await fill("other", "kept");
    const keys = await fill(mark("tenant"), mark("session"));
    const before = audit(0).length;
    expect(filesWith(canary).length).toBeGreaterThan(0);
    const erased = what === "tenant" ? [await eraseTenant()] : await Promise.all(keys.map(eraseThread));
    const [threads, checkpoints] = [sum(erased.map((one) => one.threads)), sum(erased.map((one) => one.checkpoints))];
    expect([threads, checkpoints]).toEqual([2, 4]);

    checkpointLog();
    expect(filesWith(canary)).toEqual([]);
    expect(filesWith("kept").length).toBeGreaterThan(0);
    expect(verifyFolder(desk.folder)).toMatchObject({ damage: [] });
    const audited = audit(before);
    expect([sum(audited.map((row) => row.threads)), sum(audited.map((row) => row.checkpoints))]).toEqual([2, 4]);
    for (const row of audited) expect(row).toMatchObject({ action: "erase", ...by });
    await eraseOther();
  },
);

it("counts what a hold had counted as discarded, or drained, and keeps the name of the tenant until the thaw only", async () => {
  const freezeId = "f";
  await fill(mark("tenant"), mark("session"));
  value(await desk.freeze(create(FreezeRequestSchema, { freezeId, scope, ...by }), call));
  await eraseTenant();
  const of = { case: "freezeId" as const, value: freezeId };
  const { drain } = value(await desk.getDrain(create(GetDrainRequestSchema, { of }), call));
  expect(drain).toMatchObject({ atFreeze: 2n, discarded: 2n, remaining: 0n, atFixedPoint: true });
  value(await desk.thaw(create(ThawRequestSchema, { freezeId, ...by }), call));
  await eraseTenant();
  checkpointLog();
  expect(filesWith(canary)).toEqual([]);
  const again = value(await desk.freeze(create(FreezeRequestSchema, { freezeId, scope, ...by }), call));
  expect(again.state).toBe(2); // ALREADY_THAWED: the scope is still known by its digest.
});

/** A thread with the mark in every field that a host or an operator fills: issued, replayed, adopted by key and attributed. */
async function fill(tenantId: string, name: string): Promise<readonly string[]> {
  const host = { runtime: mark("runtime"), version: mark("version"), model: mark("model") };
  const words = name === "kept" ? "kept" : canary;
  const shown = name === "kept" ? {} : { host, idempotencyKey: mark("key"), boundaryProof: mark("proof") };
  const identity = { tenantId, subTenantId: name === "kept" ? "k" : mark("sub"), sessionId: name };
  const key = { case: "identity" as const, value: identity };
  const first = value(
    await desk.issue(create(IssueRequestSchema, { key, document: documentOf(words, large), ...shown }), call),
  );
  const head = first.checkpoint?.ref?.checkpointId ?? "";
  await replay(identity, head, words);
  const threadKey = `${tenantId}:_:${name}:%more`;
  const written = timestampFromMs(1_700_000_000_000);
  const adopted = { document: documentOf(words, 10), derivation: "symfonic/9", writtenTime: written, ...shown };
  const legacy = { case: "threadKey" as const, value: threadKey };
  const row = value(await desk.adopt(create(AdoptRequestSchema, { key: legacy, ...adopted }), call));
  const owner = { tenantId, ticket: name, subTenantId: identity.subTenantId, sessionId: `${name}-adopted` };
  value(await desk.attribute(create(AttributeRequestSchema, { threadKey, ...owner, ...by }), call));
  const next = { key: legacy, document: documentOf(words, 20), expectedHead: row.checkpoint?.ref?.checkpointId ?? "" };
  value(await desk.issue(create(IssueRequestSchema, next), call));
  return [first.checkpoint?.ref?.threadKey ?? "", threadKey];
}

async function replay(identity: { tenantId: string; sessionId: string }, source: string, words: string): Promise<void> {
  const thread = { by: { case: "identity" as const, value: identity } };
  for await (const { part } of value(await desk.replay(create(ReplayRequestSchema, { thread }), call))) {
    if (part.case !== "header") continue;
    const { replayId } = part.value;
    const register = { replayId, sourceCheckpointId: source, document: documentOf(`again ${words}`, 30) };
    value(await desk.registerReplay(create(RegisterReplayRequestSchema, register), call));
  }
}

function documentOf(words: string, length: number) {
  const turn = [
    { role: "user", content: `${words} `.repeat(Math.ceil(length / words.length)) },
    { role: "assistant", content: words },
  ];
  return { format: "openai-chat/1", content: { case: "text" as const, value: JSON.stringify(turn) } };
}

const eraseTenant = async () => erased({ case: "tenantId", value: mark("tenant") });
const eraseOther = async () => erased({ case: "tenantId", value: "other" });
const eraseThread = async (key: string) => erased({ case: "thread", value: { by: { case: "threadKey", value: key } } });

async function erased(what: NonNullable<Parameters<typeof create<typeof EraseRequestSchema>>[1]>["what"]) {
  const request = create(EraseRequestSchema, { ...by, ...(what === undefined ? {} : { what }) });
  return value(await desk.erase(request, call));
}

function checkpointLog(): void {
  const db = new DatabaseSync(join(desk.folder, "fermata.sqlite"), { timeout: 5000 });
  expect(db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 0 });
  db.close();
}

function filesWith(word: string): readonly string[] {
  return readdirSync(desk.folder).filter((file) => readFileSync(join(desk.folder, file)).includes(word));
}

interface AuditRow {
  readonly action: string;
  readonly threads: bigint;
  readonly checkpoints: bigint;
}

/** The lines about erasures, but for so many old ones. */
function audit(before: number): readonly AuditRow[] {
  const db = new DatabaseSync(join(desk.folder, "fermata.sqlite"), { readOnly: true });
  const rows = db.prepare("SELECT * FROM audit WHERE action = 'erase'").all();
  db.close();
  return (rows as unknown as readonly AuditRow[]).slice(before);
}

function sum(values: readonly (number | bigint)[]): number {
  return values.reduce<number>((all, one) => all + Number(one), 0);
}

function value<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "ok") return outcome.value;
  throw new Error(
    `refused: ${JSON.stringify(outcome.leaf, (_, one) => (typeof one === "bigint" ? String(one) : one))}`,
  );
}
