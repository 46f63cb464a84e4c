import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { SidecarClient } from "../../src/client.ts";
import type {
  AdoptRequestSchema,
  IssueResponse,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";

/** Whose writes they are, in which format, and by whom they are sent. */
export interface Lane {
  readonly client: SidecarClient;
  readonly tenantId: string;
  readonly name: string;
}

/** One step of a writer. Answers whether a write was acknowledged; the writer goes on whatever it is. */
export type Step = () => Promise<boolean>;

/** The format of every document of the trial. */
export const trialFormat = "openai-chat/1";

const { issue, adopt, registerReplay, replay, attribute, discard } = ConversationService.method;
const operator = { actor: "trial", reason: "trial" };
const long = 86_400_000;

/** Every kind of write, one writer each. */
export const kinds: readonly ((lane: Lane) => Step)[] = [
  newThreads,
  oneThread,
  byKey,
  adoptedNow,
  adoptedOld,
  replayed,
  replaysOfReplays,
  givenUp,
];

/** A first checkpoint each time. */
function newThreads(lane: Lane): Step {
  let count = 0;
  return async () => {
    count += 1;
    return (await issued(lane, `new-${count}`, undefined)) !== undefined;
  };
}

/** One thread that grows. */
function oneThread(lane: Lane): Step {
  let head: string | undefined;
  return async () => {
    const next = await issued(lane, "one", head);
    head = next ?? head;
    return next !== undefined;
  };
}

/** A thread that its host knows by its key only. */
function byKey(lane: Lane): Step {
  let head: string | undefined;
  return async () => {
    if (head === undefined) {
      head = await issued(lane, "key", undefined);
      return head !== undefined;
    }
    const key = { case: "threadKey" as const, value: `${lane.tenantId}:_:${lane.name}-key` };
    const answer = await lane.client.unary(issue, { key, document: documentOf(lane.name, head), expectedHead: head });
    if (answer.kind === "ok") head = idOf(answer.value);
    return answer.kind === "ok";
  };
}

/** Rows that claim to be of this moment: new state once a hold is there. */
function adoptedNow(lane: Lane): Step {
  let count = 0;
  return () => {
    count += 1;
    return adopts(lane, { session: `now-${count}`, writtenTime: Date.now() });
  };
}

/** Rows that were there long before, some of whose keys prove no tenant; each of these is attributed. */
function adoptedOld(lane: Lane): Step {
  let count = 0;
  return async () => {
    count += 1;
    const writtenTime = Date.now() - long;
    if (count % 2 === 0) return await adopts(lane, { session: `old-${count}`, writtenTime });
    const threadKey = `${lane.tenantId}:_:${lane.name}:${count}`;
    const key = { case: "threadKey" as const, value: threadKey };
    const document = documentOf(lane.name, String(count));
    const time = timestampFromMs(writtenTime);
    const adopted = await lane.client.unary(adopt, { key, document, derivation: "symfonic/9", writtenTime: time });
    if (adopted.kind !== "ok") return false;
    const recorded = await lane.client.unary(attribute, { threadKey, tenantId: lane.tenantId, ...operator });
    return recorded.kind === "ok";
  };
}

/** A new thread, and its replay. */
function replayed(lane: Lane): Step {
  let waiting: string[] = [];
  let count = 0;
  return async () => {
    count += 1;
    const id = await issued(lane, `replay-${count}`, undefined);
    if (id !== undefined) waiting.push(`${lane.name}-replay-${count} ${id}`);
    const [next, ...rest] = waiting;
    if (next === undefined) return false;
    const [session = "", source = ""] = next.split(" ");
    const output = await replays(lane, session, source);
    waiting = output === undefined ? [...rest, next] : rest;
    return output !== undefined;
  };
}

/** The replay of the replay of the replay: under a hold this would be new state without end. */
function replaysOfReplays(lane: Lane): Step {
  let head: string | undefined;
  return async () => {
    if (head === undefined) {
      head = await issued(lane, "chain", undefined);
      return head !== undefined;
    }
    const next = await replays(lane, `${lane.name}-chain`, head);
    head = next ?? head;
    return next !== undefined;
  };
}

/** A head that is given up, and what follows it. */
function givenUp(lane: Lane): Step {
  let head: string | undefined;
  return async () => {
    const next = await issued(lane, "given-up", head);
    if (next === undefined) return false;
    head = next;
    await lane.client.unary(discard, { checkpointId: next, ...operator });
    return true;
  };
}

async function issued(
  { client, tenantId, name }: Lane,
  session: string,
  head: string | undefined,
): Promise<string | undefined> {
  const identity = { tenantId, sessionId: `${name}-${session}` };
  const answer = await client.unary(issue, {
    key: { case: "identity", value: identity },
    document: documentOf(session, head ?? ""),
    ...(head === undefined ? {} : { expectedHead: head }),
  });
  return answer.kind === "ok" ? idOf(answer.value) : undefined;
}

async function adopts(
  { client, tenantId, name }: Lane,
  { session, writtenTime }: { readonly session: string; readonly writtenTime: number },
): Promise<boolean> {
  const request: MessageInitShape<typeof AdoptRequestSchema> = {
    key: { case: "identity", value: { tenantId, sessionId: `${name}-${session}` } },
    document: documentOf(session, ""),
    writtenTime: timestampFromMs(writtenTime),
  };
  return (await client.unary(adopt, request)).kind === "ok";
}

async function replays({ client, tenantId }: Lane, sessionId: string, source: string): Promise<string | undefined> {
  const thread = { by: { case: "identity" as const, value: { tenantId, sessionId } } };
  for await (const answer of client.serverStream(replay, { thread })) {
    if (answer.kind !== "ok" || answer.value.part.case !== "header") return undefined;
    const { replayId } = answer.value.part.value;
    const document = documentOf(sessionId, source);
    const registered = await client.unary(registerReplay, { replayId, sourceCheckpointId: source, document });
    return registered.kind === "ok" ? idOf(registered.value) : undefined;
  }
  return undefined;
}

function idOf({ checkpoint }: Pick<IssueResponse, "checkpoint">): string {
  return checkpoint?.ref?.checkpointId ?? "";
}

function documentOf(...words: readonly string[]) {
  const turn = [
    { role: "user", content: words.join(" ") },
    { role: "assistant", content: "done" },
  ];
  return { format: trialFormat, content: { case: "text" as const, value: JSON.stringify(turn) } };
}
