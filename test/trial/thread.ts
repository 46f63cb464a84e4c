import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SidecarClient } from "../../src/client.ts";
import type { ThreadRefSchema } from "../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  ConversationService,
  type IssueRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { documentOf } from "./document.ts";

/** What a host remembers of a thread that it alone writes. */
export interface Thread {
  readonly session: string;
  /** The ids that were acknowledged, in their order. */
  readonly acknowledged: string[];
  /** How many of them a check has found again. */
  checked: number;
  /** The next one was asked for and not answered: it may be there or not. */
  inFlight: boolean;
}

/** A thread that nobody has written to. */
export function newThread(session: string): Thread {
  return { session, acknowledged: [], checked: 0, inFlight: false };
}

const tenantId = "trial";

/** The thread, as a read names it. */
export function threadRef({ session }: Thread): MessageInitShape<typeof ThreadRefSchema> {
  return { by: { case: "identity", value: { tenantId, sessionId: session } } };
}

/** The one request that this thread's checkpoint at a place can come from: a retry is the same to the byte. */
export function issueRequest(
  { session, acknowledged }: Thread,
  sequence: number,
): MessageInitShape<typeof IssueRequestSchema> {
  const expectedHead = acknowledged[sequence - 2];
  return {
    key: { case: "identity", value: { tenantId, sessionId: session } },
    document: { format: "openai-chat/1", content: { case: "text", value: documentOf(session, sequence) } },
    idempotencyKey: `${session}/${sequence}`,
    ...(expectedHead === undefined ? {} : { expectedHead }),
  };
}

/** Sends the next checkpoint. Answers what stood against an acknowledgement: a leaf or a code. */
export async function issueNext(client: SidecarClient, thread: Thread): Promise<string | undefined> {
  const request = issueRequest(thread, thread.acknowledged.length + 1);
  thread.inFlight = true;
  const answer = await client.unary(ConversationService.method.issue, request);
  if (answer.kind === "ended") return answer.refusal?.leaf.case ?? `code ${answer.code}`;
  thread.inFlight = false;
  thread.acknowledged.push(answer.value.checkpoint?.ref?.checkpointId ?? "");
  return undefined;
}
