import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { connect } from "../../src/client.ts";
import {
  ConversationService,
  type ReplayEntry,
  type ReplayHeader,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { ReplayZone } from "../../src/gen/fermata/conversation/v1/transcript_pb.ts";
import { type ChatEntry, effectOf, nextOf, type ToolCall } from "./scripted-model.ts";

/**
 * A host without a model: it persists after each step, runs tools that append to a file, and kills itself where it is
 * told to. Started again it recovers by Resume, Replay and RegisterReplay, and goes on to the end of its script.
 */
const [address = "", sessionId = "", effectsFile = "", doubtsFile = "", killAt = "0", careful = ""] =
  process.argv.slice(2);
const client = connect(address, 20_000);
const { resume, replay, registerReplay, issue } = ConversationService.method;
const thread = { by: { case: "identity" as const, value: { tenantId: "acme", sessionId } } };
let step = 0;
let head: string | undefined;

const entries = await recover();
await goOn(entries);
client.close();
process.stdout.write(String(step));

/** Dies here, without a chance to do anything about it, if this is the step to die at. */
function mayDie(): void {
  step += 1;
  if (step === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

async function goOn(begun: readonly ChatEntry[]): Promise<void> {
  let entries = begun;
  for (;;) {
    const next = nextOf(entries, randomUUID);
    if (next.kind === "end") return;
    const entry = next.kind === "entry" ? next.entry : resultOf(next.call, runTool(next.call));
    entries = [...entries, entry];
    await persist(entries);
  }
}

function runTool(call: ToolCall): string {
  mayDie();
  appendFileSync(effectsFile, `${effectOf(call)}\n`);
  mayDie();
  return "ok";
}

async function persist(entries: readonly ChatEntry[]): Promise<void> {
  mayDie();
  const expectedHead = head === undefined ? {} : { expectedHead: head };
  const key = { case: "identity" as const, value: thread.by.value };
  const answer = await client.unary(issue, { key, document: documentOf(entries), ...expectedHead });
  if (answer.kind === "ended") throw new Error(answer.text);
  head = answer.value.checkpoint?.ref?.checkpointId ?? "";
  mayDie();
}

async function recover(): Promise<readonly ChatEntry[]> {
  const answer = await client.unary(resume, { thread });
  if (answer.kind === "ok") {
    head = answer.value.checkpoint?.ref?.checkpointId ?? "";
    return JSON.parse(String(answer.value.document?.content.value));
  }
  switch (answer.refusal?.leaf.case) {
    case "threadNotFound":
      return [];
    case "unsafeBoundary":
      return await replayed();
    default:
      throw new Error(answer.text);
  }
}

/** Goes through the open turn again, out of what is evidence, until it is whole; then it takes the place of its source. */
async function replayed(): Promise<readonly ChatEntry[]> {
  const { header, prefix, inputs, evidence, doubts } = await readReplay();
  head = header.source?.ref?.checkpointId ?? "";
  let entries: readonly ChatEntry[] = [...prefix, ...inputs];
  for (;;) {
    const next = nextOf(entries, randomUUID);
    if (next.kind === "end" || (next.kind === "entry" && next.entry.role === "user")) break;
    if (next.kind === "tool" && careful !== "" && isNew(next.call)) {
      await persist(entries); // A call that is not in the replay is new: before it runs it is written down, as in any turn.
      return entries;
    }
    entries = [...entries, next.kind === "entry" ? next.entry : resultOf(next.call, settle(next.call))];
  }
  mayDie();
  const answer = await client.unary(registerReplay, {
    replayId: header.replayId,
    sourceCheckpointId: head,
    document: documentOf(entries),
  });
  if (answer.kind === "ended") throw new Error(answer.text);
  head = answer.value.checkpoint?.ref?.checkpointId ?? "";
  mayDie();
  return entries;

  function isNew(call: ToolCall): boolean {
    return !evidence.has(effectOf(call)) && !doubts.has(effectOf(call));
  }

  function settle(call: ToolCall): string {
    const known = evidence.get(effectOf(call));
    if (known !== undefined) return known;
    if (!doubts.has(effectOf(call))) return runTool(call);
    appendFileSync(doubtsFile, `${effectOf(call)}\n`);
    return "it is not known whether this ran";
  }
}

interface Read {
  readonly header: ReplayHeader;
  readonly prefix: readonly ChatEntry[];
  readonly inputs: readonly ChatEntry[];
  /** What each call that happened came to, by what it did. */
  readonly evidence: ReadonlyMap<string, string>;
  readonly doubts: ReadonlySet<string>;
}

async function readReplay(): Promise<Read> {
  let header: ReplayHeader | undefined;
  let whole = false;
  const found: ReplayEntry[] = [];
  for await (const answer of client.serverStream(replay, { thread })) {
    if (answer.kind === "ended") throw new Error(answer.text);
    const { part } = answer.value;
    if (part.case === "header") header = part.value;
    if (part.case === "entries") found.push(...part.value.entries);
    if (part.case === "trailer") whole = Number(part.value.entries) === found.length;
  }
  if (header === undefined || !whole) throw new Error("the replay is not whole");
  const evidence = inZone(found, ReplayZone.EVIDENCE);
  const doubtful = new Set(found.flatMap(({ inDoubtCallIds }) => inDoubtCallIds));
  const calls = found.map(parsed).flatMap(({ tool_calls }) => tool_calls ?? []);
  const results = new Map(evidence.map(({ tool_call_id, content }) => [tool_call_id, content ?? ""]));
  return {
    header,
    prefix: inZone(found, ReplayZone.PREFIX),
    inputs: inZone(found, ReplayZone.RE_DRIVE),
    evidence: new Map(
      calls.flatMap((call) => (results.has(call.id) ? [[effectOf(call), results.get(call.id) ?? ""]] : [])),
    ),
    doubts: new Set(calls.filter(({ id }) => doubtful.has(id)).map(effectOf)),
  };
}

function inZone(found: readonly ReplayEntry[], zone: ReplayZone): readonly ChatEntry[] {
  return found.filter((entry) => entry.zone === zone).map(parsed);
}

function parsed({ entry }: ReplayEntry): ChatEntry {
  return JSON.parse(Buffer.from(entry?.content ?? []).toString());
}

function resultOf({ id }: ToolCall, content: string): ChatEntry {
  return { role: "tool", tool_call_id: id, content };
}

function documentOf(entries: readonly ChatEntry[]) {
  return { format: "openai-chat/1", content: { case: "text" as const, value: JSON.stringify(entries) } };
}
