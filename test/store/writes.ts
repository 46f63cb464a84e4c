import { createHash } from "node:crypto";
import type { Identity } from "../../src/domain/conversation/identity.ts";
import type { IssueWrite } from "../../src/domain/conversation/issue.ts";
import { readLegacyKey, symfonic9 } from "../../src/domain/conversation/legacy-key.ts";
import { replayIdOf } from "../../src/domain/conversation/replay.ts";
import { adoptRetry, issueRetry, replayRetry } from "../../src/domain/conversation/retry.ts";
import type { StoredCheckpoint } from "../../src/domain/conversation/stored.ts";
import { type LegacyTarget, nameThread, type Target } from "../../src/domain/conversation/thread-key.ts";
import { newCheckpointId } from "../../src/rpc/conversation/checkpoint-id.ts";
import { prepareDocument } from "../../src/store/document-work.ts";
import type { ConversationStore, CutPayload, Prepared } from "../../src/store/ports.ts";

/** What a test's Issue may set; the rest is that of an ordinary first checkpoint. */
export interface Wish {
  readonly tenant?: string;
  readonly subTenant?: string;
  readonly session?: string;
  readonly key?: string;
  readonly content?: string | Uint8Array;
  readonly format?: string;
  readonly expectedHead?: string;
  readonly idempotencyKey?: string;
  readonly now?: number;
  readonly unfit?: IssueWrite["unfit"];
  readonly until?: number;
}

/** A finished turn of one question. */
export function turn(question: string): string {
  return JSON.stringify([
    { role: "user", content: question },
    { role: "assistant", content: "done" },
  ]);
}

/** The thread of an identity, as RPCs name it. */
export function identity(tenantId: string, sessionId: string, subTenantId?: string): Target {
  const found = { $typeName: "fermata.conversation.v1.ThreadIdentity" as const, tenantId, sessionId };
  const named = nameThread(subTenantId === undefined ? found : { ...found, subTenantId }, {
    separator: ":",
    derivations: [symfonic9],
  });
  if (named.kind === "refusal") throw new Error(`${named.leaf.case} of ${tenantId} / ${subTenantId} / ${sessionId}`);
  return { by: "identity", named: named.value };
}

/** Issues on a store and answers the outcome. */
export async function issueOn(store: ConversationStore, wish: Wish = {}) {
  const prepared = prepare(wish);
  return await store.write(issueWrite(wish, prepared), prepared.payload, wish.until ?? Number.MAX_SAFE_INTEGER);
}

/** Issues on a store and answers the id of the checkpoint; anything else fails the test. */
export async function acknowledged(store: ConversationStore, wish: Wish = {}): Promise<string> {
  const outcome = await issueOn(store, wish);
  if (outcome.kind === "refusal") throw new Error(`refused: ${JSON.stringify(outcome.leaf.case)}`);
  return outcome.value.checkpoint.header.checkpointId;
}

/** The digest of bytes, independent of the code under test. */
export function sha(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What a test's Adopt may set. `key` is read as a host of the older derivation made it. */
export interface AdoptWish extends Wish {
  readonly writtenTime?: number;
}

/** Adopts a row that exists already, and answers the outcome. */
export async function adoptOn(store: ConversationStore, wish: AdoptWish = {}) {
  const prepared = prepare(wish);
  const {
    target,
    expectedHead: _,
    midFrame: __,
    ...common
  } = issueWrite({ ...wish, session: wish.session ?? "s1" }, prepared);
  const { format, payload, claimedProof, host } = common;
  const { writtenTime } = wish;
  const retry = adoptRetry(wish.idempotencyKey ?? "", { writtenTime, format, payload, claimedProof, host });
  const write = {
    ...common,
    kind: "adopt",
    target: wish.key === undefined ? byIdentity(target) : legacy(wish.key),
    writtenTime,
    retry,
  } as const;
  return await store.write(write, prepared.payload, far);
}

/** Records an owner of a thread that is named by its key, and answers the outcome. */
export async function attributeOn(store: ConversationStore, key: string, owner: Identity, supersedes = "") {
  const record = { owner, actor: "op", reason: "a ticket", ticket: "T-1", supersedes };
  const write = { kind: "attribute", target: { by: "key", key }, now: start, record } as const;
  return await store.write(write, noPayload(), far);
}

/** Registers what the replay of a checkpoint produced, and answers the outcome. */
export async function replayOn(store: ConversationStore, sourceCheckpointId: string, wish: Wish = {}) {
  const prepared = prepare(wish);
  const { midFrame: _, ...common } = issueWrite(wish, prepared);
  const source = await sourceOf(store, sourceCheckpointId, common.target);
  const replayId = replayIdOf(source);
  const expectedHead = wish.expectedHead ?? sourceCheckpointId;
  const { format, payload, claimedProof, host } = common;
  const body = { sourceCheckpointId, replayId, expectedHead, format, payload, claimedProof, host };
  const target = { by: "source", checkpointId: sourceCheckpointId } as const;
  const retry = replayRetry(wish.idempotencyKey ?? "", body);
  return await store.write(
    { ...common, kind: "registerReplay", target, replayId, expectedHead, retry },
    prepared.payload,
    far,
  );
}

const far = Number.MAX_SAFE_INTEGER;
const start = 1_700_000_000_000;

async function sourceOf(store: ConversationStore, checkpointId: string, thread: Target): Promise<StoredCheckpoint> {
  const found = await store.look({ thread, checkpointId });
  if (found.kind !== "checkpoint") throw new Error(`no source: ${found.kind}`);
  return found.checkpoint;
}

function byIdentity(target: Target): Extract<Target, { by: "identity" }> {
  if (target.by === "identity") return target;
  throw new Error("an adoption by key is a legacy one");
}

function legacy(key: string): LegacyTarget {
  const read = readLegacyKey(key, symfonic9, ":");
  if (read.kind === "refusal") throw new Error(`${read.leaf.case} of ${key}`);
  return { by: "legacy", key, legacy: read.value };
}

function noPayload(): CutPayload {
  return { bytes: new Uint8Array(), ends: new Uint32Array(), digests: new Uint8Array(), entries: new Uint8Array() };
}

function prepare({ content = turn("hi"), format = "openai-chat/1" }: Wish): Prepared {
  return prepareDocument({
    format,
    content: typeof content === "string" ? { case: "text", value: content } : { case: "binary", value: content },
    claimedProof: undefined,
    listed: ["opaque/1"],
    published: new Set(["openai-chat/turn-complete/1"]),
  });
}

function issueWrite(wish: Wish, { verdict, facts: payload }: Prepared): IssueWrite {
  const { expectedHead, format = "openai-chat/1", now = start } = wish;
  const host = { runtime: "vitest", version: "5", model: "none" };
  return {
    kind: "issue",
    target:
      wish.key === undefined
        ? identity(wish.tenant ?? "acme", wish.session ?? "s1", wish.subTenant)
        : { by: "key", key: wish.key },
    checkpointId: newCheckpointId(now),
    now,
    expectedHead,
    retry: issueRetry(wish.idempotencyKey ?? "", { expectedHead, format, payload, claimedProof: undefined, host }),
    host,
    format,
    claimedProof: undefined,
    payload,
    boundary: verdict.kind === "boundary" ? verdict.boundary : undefined,
    midFrame: undefined,
    unfit: wish.unfit,
  };
}
