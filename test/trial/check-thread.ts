import type { Answer, SidecarClient } from "../../src/client.ts";
import type { Checkpoint } from "../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  ConversationService,
  type ResumeResponse,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { documentOf } from "./document.ts";
import { issueRequest, type Thread, threadRef } from "./thread.ts";

/** What a comparison has seen. */
export interface Finding {
  /** Acknowledged checkpoints that were resumed with their bytes. */
  readonly found: number;
  /** Retries of acknowledged calls that got the first answer. */
  readonly repeated: number;
  /** Calls without an answer that had been stored, and such that had not. */
  readonly stored: number;
  readonly notStored: number;
  /** Everything that must not be, in words. */
  readonly wrong: readonly string[];
}

/** Nothing compared yet. */
export const nothing: Finding = { found: 0, repeated: 0, stored: 0, notStored: 0, wrong: [] };

/** Two findings as one. */
export function together(one: Finding, other: Finding): Finding {
  return {
    found: one.found + other.found,
    repeated: one.repeated + other.repeated,
    stored: one.stored + other.stored,
    notStored: one.notStored + other.notStored,
    wrong: [...one.wrong, ...other.wrong],
  };
}

/** Compares what was acknowledged of a thread since its last check, its head, and the retries of its last two calls. */
export async function checkThread(client: SidecarClient, thread: Thread): Promise<Finding> {
  const found = await checkAcknowledged(client, thread);
  const repeated = await checkRetry(client, thread);
  const settled = await settleInFlight(client, thread);
  return [found, repeated, settled].reduce(together, nothing);
}

/** Every row of the thread: exactly what was acknowledged, in its order. */
export async function auditThread(client: SidecarClient, thread: Thread): Promise<readonly string[]> {
  if (thread.acknowledged.length === 0) return [];
  const of = { case: "thread" as const, value: threadRef(thread) };
  const answer = await client.unary(ConversationService.method.listCheckpoints, { of, pageSize: 100 });
  if (answer.kind === "ended") return [`${thread.session}: the list ended with ${ending(answer)}`];
  const ids = answer.value.checkpoints.map(({ ref }) => ref?.checkpointId);
  return ids.join() === thread.acknowledged.join() ? [] : [`${thread.session}: holds ${ids.join()}`];
}

async function checkAcknowledged(client: SidecarClient, thread: Thread): Promise<Finding> {
  const wrong: string[] = [];
  const from = thread.checked;
  for (let sequence = from + 1; sequence <= thread.acknowledged.length; sequence += 1) {
    const checkpointId = thread.acknowledged[sequence - 1] ?? "";
    const answer = await client.unary(ConversationService.method.resume, { thread: threadRef(thread), checkpointId });
    wrong.push(...compared(answer, thread, sequence));
  }
  thread.checked = thread.acknowledged.length;
  return { ...nothing, found: thread.checked - from - wrong.length, wrong };
}

async function checkRetry(client: SidecarClient, thread: Thread): Promise<Finding> {
  const sequence = thread.acknowledged.length;
  if (sequence === 0) return nothing;
  const answer = await client.unary(ConversationService.method.issue, issueRequest(thread, sequence));
  if (answer.kind === "ok" && answer.value.firstAnswerRepeated && isThe(answer.value.checkpoint, thread, sequence)) {
    return { ...nothing, repeated: 1 };
  }
  return { ...nothing, wrong: [`${thread.session}/${sequence}: the retry was answered ${ending(answer)}`] };
}

/** What had no answer is there as it was asked for, or not at all; asked again it is there once. */
async function settleInFlight(client: SidecarClient, thread: Thread): Promise<Finding> {
  const sequence = thread.acknowledged.length + 1;
  const head = await client.unary(ConversationService.method.resume, { thread: threadRef(thread) });
  const stored = head.kind === "ok" && head.value.checkpoint?.ref?.sequence === BigInt(sequence);
  if (!thread.inFlight) return { ...nothing, wrong: wrongHead(head, thread) };
  const before = stored
    ? compared(head, { ...thread, acknowledged: [...thread.acknowledged, idOf(head)] }, sequence)
    : wrongHead(head, thread);
  const answer = await client.unary(ConversationService.method.issue, issueRequest(thread, sequence));
  if (answer.kind === "ended")
    return { ...nothing, wrong: [...before, `${thread.session}/${sequence}: ${ending(answer)}`] };
  thread.inFlight = false;
  thread.acknowledged.push(answer.value.checkpoint?.ref?.checkpointId ?? "");
  thread.checked = stored ? sequence : thread.checked;
  const first = stored
    ? answer.value.firstAnswerRepeated && isThe(answer.value.checkpoint, thread, sequence)
    : !answer.value.firstAnswerRepeated;
  const wrong = first
    ? before
    : [...before, `${thread.session}/${sequence}: a retry that had ${stored ? "" : "not "}been stored`];
  return { ...nothing, stored: stored ? 1 : 0, notStored: stored ? 0 : 1, wrong };
}

type Resumed = Answer<ResumeResponse>;

function wrongHead(head: Resumed, thread: Thread): readonly string[] {
  const sequence = thread.acknowledged.length;
  if (sequence > 0) return compared(head, thread, sequence);
  const absent = head.kind === "ended" && head.refusal?.leaf.case === "threadNotFound";
  return absent ? [] : [`${thread.session}: a head of a thread that nobody began: ${ending(head)}`];
}

function compared(answer: Resumed, thread: Thread, sequence: number): readonly string[] {
  const name = `${thread.session}/${sequence}`;
  if (answer.kind === "ended") return [`${name}: lost, Resume says ${ending(answer)}`];
  const { checkpoint, document } = answer.value;
  if (!isThe(checkpoint, thread, sequence)) return [`${name}: another checkpoint stands there`];
  return document?.content.value === documentOf(thread.session, sequence) ? [] : [`${name}: other bytes`];
}

function isThe(checkpoint: Checkpoint | undefined, { acknowledged }: Thread, sequence: number): boolean {
  const { ref, parentCheckpointId } = checkpoint ?? {};
  if (ref?.checkpointId !== acknowledged[sequence - 1] || ref?.sequence !== BigInt(sequence)) return false;
  return parentCheckpointId === acknowledged[sequence - 2];
}

function idOf(head: Resumed): string {
  return head.kind === "ok" ? (head.value.checkpoint?.ref?.checkpointId ?? "") : "";
}

function ending(answer: Answer<unknown>): string {
  return answer.kind === "ok"
    ? "with another checkpoint"
    : (answer.refusal?.leaf.case ?? `code ${answer.code} ${answer.text}`);
}
