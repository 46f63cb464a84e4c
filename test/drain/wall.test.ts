import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import {
  AdoptRequestSchema,
  DiscardRequestSchema,
  EraseRequestSchema,
  FreezeRequestSchema,
  GetDrainRequestSchema,
  IssueRequestSchema,
  ListCheckpointsRequestSchema,
  ListFreezesRequestSchema,
  RegisterReplayRequestSchema,
  ReplayRequestSchema,
  ResumeRequestSchema,
  ThawRequestSchema,
  WatchDrainRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import {
  DrainSchema,
  type FreezeScopeSchema,
  FreezeState,
  IssuanceState,
} from "../../src/gen/fermata/conversation/v1/freeze_pb.ts";
import { backUp } from "../../src/store/sqlite/backup.ts";
import { restore } from "../../src/store/sqlite/restore.ts";
import { call, openDesk } from "../rpc/conversation/desk.ts";
import { documentOf } from "./player.ts";

type Desk = Awaited<ReturnType<typeof openDesk>>;
type Scope = MessageInitShape<typeof FreezeScopeSchema>;

const by = { actor: "op", reason: "retire" };
const chat = "openai-chat/1";
const wholeStore: Scope = { scope: { case: "wholeStore", value: {} } };
const ofFormat: Scope = { scope: { case: "format", value: chat } };
const ofTenant = (value: string): Scope => ({ scope: { case: "tenantId", value } });
const start = Date.UTC(2027, 0, 1);

describe("a hold", () => {
  let desk: Desk;
  let now = start;
  beforeEach(async () => {
    now = start;
    desk = await openDesk({ now: () => (now += 1) });
  });
  afterEach(() => desk.drop());

  const freeze = (freezeId: string, scope: Scope) =>
    desk.freeze(create(FreezeRequestSchema, { freezeId, scope, ...by }), call);
  const thaw = (freezeId: string) => desk.thaw(create(ThawRequestSchema, { freezeId, ...by }), call);
  const issue = (sessionId: string, more: Partial<{ tenantId: string; format: string; expectedHead: string }> = {}) => {
    const { tenantId = "acme", format = chat, ...rest } = more;
    const key = { case: "identity" as const, value: { tenantId, sessionId } };
    return desk.issue(create(IssueRequestSchema, { key, document: documentOf(format, sessionId), ...rest }), call);
  };
  const drain = async (freezeId: string): Promise<JsonValue> => {
    const request = create(GetDrainRequestSchema, { of: { case: "freezeId", value: freezeId } });
    const answer = value(await desk.getDrain(request, call)).drain;
    return toJson(DrainSchema, answer ?? create(DrainSchema));
  };
  const replay = async (sessionId: string, source: string, format: string, expectedHead = source) => {
    const thread = { by: { case: "identity" as const, value: { tenantId: "acme", sessionId } } };
    const opened = value(await desk.replay(create(ReplayRequestSchema, { thread, checkpointId: source }), call));
    for await (const { part } of opened) {
      const replayId = part.case === "header" ? part.value.replayId : "";
      const register = {
        replayId,
        sourceCheckpointId: source,
        document: documentOf(format, "again"),
        expectedHead,
      };
      return await desk.registerReplay(create(RegisterReplayRequestSchema, register), call);
    }
    throw new Error("no header");
  };

  it("is the same hold for the same id, and refuses the id for another scope", async () => {
    const first = value(await freeze("f", wholeStore));
    expect(value(await freeze("f", wholeStore))).toEqual(first);
    expect(await freeze("f", ofFormat)).toMatchObject({
      leaf: { case: "idempotencyKeyReused", value: { idempotencyKey: "f" } },
    });
  });

  it("stays thawed: a late retry is told so, and sets nothing", async () => {
    const { epoch } = value(await freeze("f", wholeStore));
    value(await thaw("f"));
    expect(value(await freeze("f", wholeStore))).toMatchObject({ state: FreezeState.ALREADY_THAWED, epoch });
    expect(await freeze("f", ofFormat)).toMatchObject({ leaf: { case: "idempotencyKeyReused" } });
    expect(await issue("s")).toMatchObject({ kind: "ok" });
    expect(value(await thaw("f"))).toMatchObject({ issuance: IssuanceState.OPEN });
    expect(await thaw("g")).toMatchObject({ leaf: { case: "freezeNotFound", value: { freezeId: "g" } } });
    const gone = create(GetDrainRequestSchema, { of: { case: "freezeId", value: "f" } });
    expect(await desk.getDrain(gone, call)).toMatchObject({ leaf: { case: "freezeNotFound" } });
    const listed = create(ListCheckpointsRequestSchema, { of: { case: "remainingOfFreezeId", value: "f" } });
    expect(await desk.listCheckpoints(listed, call)).toMatchObject({ leaf: { case: "freezeNotFound" } });
  });

  it.each([
    { name: "the very scope", scope: ofFormat, other: ofFormat, issuance: IssuanceState.FROZEN },
    { name: "the whole store", scope: ofFormat, other: wholeStore, issuance: IssuanceState.FROZEN },
    { name: "a part of it", scope: wholeStore, other: ofFormat, issuance: IssuanceState.OPEN },
    { name: "another tenant", scope: ofTenant("acme"), other: ofTenant("umbrella"), issuance: IssuanceState.OPEN },
  ])("leaves issuance as a hold on $name has it", async ({ scope, other, issuance }) => {
    await freeze("f", scope);
    await freeze("other", other);
    expect(value(await thaw("f")).issuance).toBe(issuance);
  });

  it("raises the epoch only when a scope becomes frozen", async () => {
    const epochs: bigint[] = [];
    for (const [id, scope] of [
      ["a", ofFormat],
      ["b", ofFormat],
      ["c", wholeStore],
    ] as const) {
      epochs.push(value(await freeze(id, scope)).epoch);
    }
    expect(epochs).toEqual([1n, 1n, 2n]);
    await thaw("a");
    await thaw("b");
    expect(value(await freeze("d", ofFormat)).epoch).toBe(3n);
  });

  it("is named by the refusal if it is the oldest that covers the write", async () => {
    await freeze("tenant", ofTenant("acme"));
    await freeze("store", wholeStore);
    expect(await issue("s")).toMatchObject({ leaf: { value: { freezeId: "tenant", scope: "tenant acme" } } });
    expect(await issue("s", { tenantId: "umbrella" })).toMatchObject({
      leaf: { value: { freezeId: "store", epoch: 2n } },
    });
    await thaw("tenant");
    expect(await issue("s")).toMatchObject({ leaf: { value: { freezeId: "store" } } });
  });

  it("lets no replay of a replay through, and each counted head once", async () => {
    const source = idOf(await issue("s"));
    await freeze("f", wholeStore);
    const output = await replay("s", source, chat);
    expect(output).toMatchObject({ kind: "ok" });
    expect(await replay("s", idOf(output), chat)).toMatchObject({
      leaf: { case: "issuanceFrozen", value: { cause: 1, freezeId: "f" } },
    });
    expect(await drain("f")).toMatchObject({ atFreeze: "1", drained: "1", atFixedPoint: true });
    await thaw("f");
    expect(await replay("s", idOf(output), chat)).toMatchObject({ kind: "ok" });
  });

  it("counts the output of a replay that was made before it, in the same millisecond, too", async () => {
    await desk.drop();
    desk = await openDesk({ now: () => start });
    const output = await replay("s", idOf(await issue("s")), chat);
    await freeze("f", wholeStore);
    expect(await replay("s", idOf(output), chat)).toMatchObject({ kind: "ok" });
    expect(await drain("f")).toMatchObject({ atFreeze: "1", drained: "1" });
  });

  it("adopts what was written before it, counts it, and takes the rest for new state", async () => {
    await freeze("f", wholeStore);
    const adopt = (sessionId: string, written: number | undefined) => {
      const key = { case: "identity" as const, value: { tenantId: "acme", sessionId } };
      const time = written === undefined ? {} : { writtenTime: timestampFromMs(written) };
      return desk.adopt(create(AdoptRequestSchema, { key, document: documentOf(chat, sessionId), ...time }), call);
    };
    expect(await adopt("before", start)).toMatchObject({ kind: "ok" });
    for (const [session, written] of [
      ["after", now + 1],
      ["never said", undefined],
    ] as const) {
      expect(await adopt(session, written)).toMatchObject({ leaf: { case: "issuanceFrozen", value: { cause: 1 } } });
    }
    expect(await drain("f")).toMatchObject({ adoptedSince: "1", remaining: "1" });
  });

  it("refuses from its first commit on, tells that it is closing, and is gone on with or ended by its id", async () => {
    await issue("s");
    for (const [freezeId, end] of [
      ["a", freeze],
      ["b", thaw],
    ] as const) {
      const db = new DatabaseSync(join(desk.folder, "fermata.sqlite"), { timeout: 5000 });
      db.prepare(
        `INSERT INTO freeze_hold (freeze_id, scope, scope_kind, tenant_id, format, state, actor, reason, create_time)
         VALUES (?, 'store', 'store', '', '', 'closing', 'op', 'retire', ?)`,
      ).run(freezeId, now);
      db.close();
      const refused = await issue("t");
      expect(refused).toMatchObject({ leaf: { case: "issuanceFrozen", value: { freezeId, epoch: 0n } } });
      expect(refused).not.toHaveProperty("leaf.value.freezeTime");
      const [listed] = value(await desk.listFreezes(create(ListFreezesRequestSchema), call)).freezes;
      expect(listed).toMatchObject({ freezeId, closing: true, epoch: 0n });
      expect(listed).not.toHaveProperty("freezeTime");
      expect(await end(freezeId, wholeStore)).toMatchObject({ kind: "ok" });
      if (end === freeze) expect(await drain(freezeId)).toMatchObject({ atFreeze: "1" });
      await thaw(freezeId);
      expect(await issue(freezeId)).toMatchObject({ kind: "ok" });
    }
  });

  it("fails closed when the gate can't be read", async () => {
    const db = new DatabaseSync(join(desk.folder, "fermata.sqlite"), { timeout: 5000 });
    db.exec("ALTER TABLE freeze_hold RENAME TO gone");
    await expect(issue("s")).rejects.toMatchObject({ name: "StoreFault" });
    await expect(desk.listFreezes(create(ListFreezesRequestSchema), call)).rejects.toMatchObject({
      name: "StoreFault",
    });
    db.exec("ALTER TABLE gone RENAME TO freeze_hold");
    expect(db.prepare("SELECT count(*) AS rows FROM checkpoint").get()).toEqual({ rows: 0 });
    db.close();
  });

  it("lets a discarded head be followed once it is thawed, and is not passed by discarding", async () => {
    const head = idOf(await issue("s"));
    await freeze("f", wholeStore);
    const discard = () => desk.discard(create(DiscardRequestSchema, { checkpointId: head, ...by }), call);
    expect(await discard()).toEqual(await discard());
    expect(await issue("s", { expectedHead: head })).toMatchObject({ leaf: { case: "issuanceFrozen" } });
    expect(await drain("f")).toMatchObject({ atFreeze: "1", discarded: "1", atFixedPoint: true });
    await thaw("f");
    expect(await issue("s", { expectedHead: head })).toMatchObject({ kind: "ok" });
  });

  it("is previewed without being set: what it would count, and never done", async () => {
    await issue("s");
    await issue("t", { tenantId: "umbrella" });
    for (const [scope, atFreeze] of [
      [wholeStore, 2n],
      [ofTenant("acme"), 1n],
      [ofTenant("nobody"), 0n],
    ] as const) {
      const of = { case: "scope" as const, value: scope };
      const preview = value(await desk.getDrain(create(GetDrainRequestSchema, { of }), call)).drain;
      expect(preview).toMatchObject({
        freezeId: "",
        atFreeze,
        remaining: atFreeze,
        unscanned: 0n,
        atFixedPoint: false,
      });
    }
    expect(value(await desk.listFreezes(create(ListFreezesRequestSchema), call)).freezes).toEqual([]);
  });

  it("lists blockers by leaf with at most twenty ids", async () => {
    for (let count = 0; count < 25; count += 1) {
      const key = { case: "identity" as const, value: { tenantId: "acme", sessionId: `broken-${count}` } };
      const document = { format: chat, content: { case: "text" as const, value: "no JSON" } };
      value(await desk.adopt(create(AdoptRequestSchema, { key, document, writtenTime: timestampFromMs(start) }), call));
    }
    await freeze("f", ofFormat);
    const told = (await drain("f")) as { blockers: { reason: string; count: string; checkpointIds: string[] }[] };
    expect(told).toMatchObject({ terminalUnsafe: "25", atFixedPoint: true });
    expect(told.blockers).toMatchObject([{ reason: "CHECKPOINT_FORMAT", count: "25" }]);
    expect(told.blockers[0]?.checkpointIds).toHaveLength(20);
  });

  it("keeps the document of what it counted, however far the thread goes on in another format", async () => {
    const source = idOf(await issue("s"));
    await freeze("f", ofFormat);
    let head = source;
    for (let count = 0; count < 25; count += 1) {
      head = idOf(await issue("s", { format: "anthropic-messages/1", expectedHead: head }));
      now += 7_200_000;
    }
    await desk.store.prune();
    expect(await drain("f")).toMatchObject({ atFreeze: "1", remaining: "1" });
    expect(await replay("s", source, "anthropic-messages/1", head)).toMatchObject({ kind: "ok" });
    expect(await drain("f")).toMatchObject({ drained: "1", atFixedPoint: true });
  });

  it("is watched: the drain now, after each change, and the end of the stream with its thaw", async () => {
    const head = idOf(await issue("s"));
    await freeze("f", wholeStore);
    const seen: string[] = [];
    const watched = value(await desk.watchDrain(create(WatchDrainRequestSchema, { freezeId: "f" }), call));
    for await (const { drain: told } of watched) {
      seen.push(`${told?.remaining} of ${told?.atFreeze}`);
      if (seen.length === 1) await desk.discard(create(DiscardRequestSchema, { checkpointId: head, ...by }), call);
      else await thaw("f");
    }
    expect(seen).toEqual(["1 of 1", "0 of 1"]);
    expect(await desk.watchDrain(create(WatchDrainRequestSchema, { freezeId: "f" }), call)).toMatchObject({
      leaf: { case: "freezeNotFound" },
    });
  });

  it("is no shield against erasure", async () => {
    await issue("s");
    await freeze("f", ofTenant("acme"));
    const what = { case: "tenantId" as const, value: "acme" };
    expect(value(await desk.erase(create(EraseRequestSchema, { what, ...by }), call))).toMatchObject({
      threads: 1n,
      checkpoints: 1n,
    });
    expect(await drain("f")).toMatchObject({ atFreeze: "1", discarded: "1", atFixedPoint: true });
    expect(await issue("s")).toMatchObject({ leaf: { case: "issuanceFrozen" } });
  });

  it("comes with every restored store, holds all of it, and is thawed by name", async () => {
    await issue("s");
    await freeze("f", ofTenant("umbrella"));
    const [file, to] = [join(desk.folder, "backup.sqlite"), `${desk.folder}-restored`];
    backUp(desk.folder, file);
    const { freezeId, verification } = restore(file, to, now);
    expect(freezeId).toBe(`restored-${verification.incarnation}`);
    const restored = await openDesk({ folder: to, now: () => (now += 1) });
    const key = { case: "identity" as const, value: { tenantId: "acme", sessionId: "t" } };
    const again = () => restored.issue(create(IssueRequestSchema, { key, document: documentOf(chat, "t") }), call);
    expect(await again()).toMatchObject({ leaf: { case: "issuanceFrozen", value: { freezeId } } });
    const thread = { by: { case: "identity" as const, value: { tenantId: "acme", sessionId: "s" } } };
    expect(value(await restored.resume(create(ResumeRequestSchema, { thread }), call)).issuance).toBe(
      IssuanceState.FROZEN,
    );
    const of = { case: "freezeId" as const, value: freezeId };
    expect(value(await restored.getDrain(create(GetDrainRequestSchema, { of }), call)).drain).toMatchObject({
      atFreeze: 1n,
      remaining: 1n,
    });
    expect(
      value(await restored.listFreezes(create(ListFreezesRequestSchema), call)).freezes.map((one) => one.freezeId),
    ).toEqual(["f", freezeId]);
    value(await restored.thaw(create(ThawRequestSchema, { freezeId, ...by }), call));
    expect(await again()).toMatchObject({ kind: "ok" });
    await restored.drop();
  });

  it("goes with the file of an older binary: its restored hold gets its drain when the schema moves on", async () => {
    await issue("s");
    await freeze("f", wholeStore);
    await desk.close();
    const db = new DatabaseSync(join(desk.folder, "fermata.sqlite"));
    db.exec(`DROP TABLE drain_artifact; DROP TABLE drain; DROP TABLE drain_verdict; DROP TABLE tenant_checkpoint;
             DROP TRIGGER tenant_checkpoint_written; DROP TRIGGER tenant_checkpoint_attributed;
             DROP TRIGGER tenant_checkpoint_erased; DROP INDEX thread_unproved; DELETE FROM migration WHERE number > 1;
             UPDATE store_meta SET schema = 1, min_binary = 1`);
    db.close();
    desk = await openDesk({ folder: desk.folder, now: () => (now += 1) });
    expect(await drain("f")).toMatchObject({ atFreeze: "1", remaining: "1" });
  });
});

function value<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "ok") return outcome.value;
  throw new Error(`refused: ${outcome.leaf.case}`);
}

function idOf(
  outcome: Outcome<{
    readonly checkpoint?: { readonly ref?: { readonly checkpointId: string } | undefined } | undefined;
  }>,
): string {
  return value(outcome).checkpoint?.ref?.checkpointId ?? "";
}
