import { createHash } from "node:crypto";
import type { IssueWrite } from "../../src/domain/conversation/issue.ts";
import { symfonic9 } from "../../src/domain/conversation/legacy-key.ts";
import { issueRetry } from "../../src/domain/conversation/retry.ts";
import { nameThread, type Target } from "../../src/domain/conversation/thread-key.ts";
import { newCheckpointId } from "../../src/rpc/conversation/checkpoint-id.ts";
import { prepareDocument } from "../../src/store/document-work.ts";
import type { ConversationStore, Prepared } from "../../src/store/ports.ts";

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
  const { expectedHead, format = "openai-chat/1", now = 1_700_000_000_000 } = wish;
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
