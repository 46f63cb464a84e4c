import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { SidecarClient } from "../../src/client.ts";
import {
  ConversationService,
  type IssueRequest,
  IssueRequestSchema,
  type ReplayEntry,
  type ReplayHeader,
  type ReplayTrailer,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";

/** One thread of one tenant, which is all that these tests need to name. */
export function threadOf(sessionId: string) {
  return { by: { case: "identity" as const, value: { tenantId: "acme", sessionId } } };
}

/** A history of so many entries of so many bytes each, whose last turn is open. */
export function historyOf(entries: number, bytes: number): string {
  const lines = Array.from({ length: entries }, (_unused, index) => {
    const role = index % 2 === 0 ? "user" : "assistant";
    return JSON.stringify({ role, content: `${index} é\\" `.padEnd(bytes - 40, "word ") });
  });
  return `[${lines.join(" ,\n")}]`;
}

/** Issues a first checkpoint and answers its id. */
export async function issued(client: SidecarClient, sessionId: string, value: string): Promise<string> {
  const request: IssueRequest = create(IssueRequestSchema, {
    key: { case: "identity", value: { tenantId: "acme", sessionId } },
    document: { format: "openai-chat/1", content: { case: "text", value } },
  });
  const answer = await client.unary(ConversationService.method.issue, request);
  if (answer.kind === "ended") throw new Error(answer.text);
  return answer.value.checkpoint?.ref?.checkpointId ?? "";
}

/** What a stream of Replay brought, as far as it came. */
export interface Replayed {
  readonly header: ReplayHeader | undefined;
  readonly entries: readonly ReplayEntry[];
  readonly trailer: ReplayTrailer | undefined;
  readonly messages: number;
}

/** Reads a replay to its end, or to so many messages and then cancels it. */
export async function replayOf(
  client: SidecarClient,
  sessionId: string,
  { afterPosition, messages = Number.POSITIVE_INFINITY }: { afterPosition?: bigint; messages?: number } = {},
): Promise<Replayed> {
  let found: Replayed = { header: undefined, entries: [], trailer: undefined, messages: 0 };
  const request = { thread: threadOf(sessionId), ...(afterPosition !== undefined && { afterPosition }) };
  for await (const answer of client.serverStream(ConversationService.method.replay, request)) {
    if (answer.kind === "ended") throw new Error(answer.text);
    const { part } = answer.value;
    found = { ...found, messages: found.messages + 1 };
    if (part.case === "header") found = { ...found, header: part.value };
    if (part.case === "entries") found = { ...found, entries: [...found.entries, ...part.value.entries] };
    if (part.case === "trailer") found = { ...found, trailer: part.value };
    if (found.messages >= messages) break;
  }
  return found;
}

/** The digest that a trailer must have, computed from what came. */
export function digestOf(entries: readonly ReplayEntry[]): string {
  const hash = createHash("sha256");
  for (const { entry } of entries) {
    const content = entry?.content ?? new Uint8Array();
    hash.update(`${content.length}:`).update(content);
  }
  return hash.digest("hex");
}

/** Bytes in hexadecimal. */
export function hexOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("hex");
}
