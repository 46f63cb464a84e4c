import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import {
  IssueRequestSchema,
  ReplayEntrySchema,
  ReplayRequestSchema,
  ReplayResponseSchema,
  ResumeRequestSchema,
} from "../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { type Figure, median } from "./report.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const service = "/fermata.conversation.v1.ConversationService";
const rounds = 11;
const streamsInARound = 40;
const atOnce = 4;
const firstsInARound = 10;

/** Replay against a grpc-js stream of the same messages, and its first entry against Resume of the same thread. */
export async function benchReplay(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "fermata-bench-"));
  const settings = { listen: ["127.0.0.1:0"], adminListen: "none", dataDir: join(folder, "data"), logLevel: "warn" };
  const sidecar = await startServerProcess("sidecar", JSON.stringify(settings));
  await issue(sidecar, "entries", history(1_000, 1_024));
  await issue(sidecar, "large", history(5_000, 1_000));
  const ours = stream(sidecar, `${service}/Replay`, requestFor(ReplayRequestSchema, "entries"));
  const messages = await ours.all();
  const floor = await startRaw(join(folder, "entries"), messages.flatMap(entriesOf));
  const packed = await startRaw(join(folder, "messages"), messages);
  const replay = stream(sidecar, `${service}/Replay`, requestFor(ReplayRequestSchema, "large"));
  const resume = stream(sidecar, `${service}/Resume`, requestFor(ResumeRequestSchema, "large"));
  const measured = [];
  for (let round = 0; round <= rounds; round += 1) {
    const one = {
      ours: await timed(() => many(ours)),
      floor: await timed(() => many(floor.stream)),
      packed: await timed(() => many(packed.stream)),
      first: await timed(() => firsts(replay)),
      resume: await timed(() => resumes(resume)),
    };
    if (round > 0) measured.push(one);
  }
  for (const one of [ours, replay, resume]) one.close();
  for (const raw of [floor, packed]) raw.stop();
  sidecar.stop();
  rmSync(folder, { recursive: true, force: true });
  return figuresOf(measured);
}

interface Round {
  readonly ours: number;
  readonly floor: number;
  readonly packed: number;
  readonly first: number;
  readonly resume: number;
}

function figuresOf(measured: readonly Round[]): readonly Figure[] {
  const each = (of: keyof Round, calls: number): string =>
    (median(measured.map((round) => round[of])) / calls).toFixed(1);
  return [
    {
      name: "Replay of 1,000 entries of 1 KiB, throughput over a raw grpc-js stream of them",
      rounds: measured.map(({ ours, floor }) => floor / ours),
      bound: { kind: "at least", value: 0.8 },
      note: `${each("ours", streamsInARound)} against ${each("floor", streamsInARound)} ms a stream, ${atOnce} at once; ${each("packed", streamsInARound)} ms if the raw stream sends our own packed messages, ready made`,
    },
    {
      name: "first entry of a replay of 5 MB, time over Resume of it",
      rounds: measured.map(({ first, resume }) => first / resume),
      bound: { kind: "at most", value: 1.5 },
      note: `${each("first", firstsInARound)} over ${each("resume", firstsInARound)} ms`,
    },
  ];
}

/** A server that streams ready messages and nothing else. */
async function startRaw(
  file: string,
  messages: readonly Buffer[],
): Promise<{ readonly stream: Stream; readonly stop: () => void }> {
  writeFileSync(file, Buffer.concat(messages.flatMap(framed)));
  const server = await startServerProcess("raw-stream", file);
  const found = stream(server, "/bench.Raw/Stream", Buffer.alloc(0));
  const stop = (): void => {
    found.close();
    server.stop();
  };
  return { stream: found, stop };
}

/** Each entry of a message as a message of its own, as who streams entries would send them. */
function entriesOf(message: Buffer): readonly Buffer[] {
  const { part } = fromBinary(ReplayResponseSchema, message);
  if (part.case !== "entries") return [message];
  return part.value.entries.map((entry) => Buffer.from(toBinary(ReplayEntrySchema, entry)));
}

/** A finished conversation of so many entries of so many bytes each. */
function history(entries: number, bytes: number): string {
  const lines = Array.from({ length: entries }, (_unused, index) => {
    const entry = { role: index % 2 === 0 ? "user" : "assistant", content: `${index} ` };
    return JSON.stringify({
      ...entry,
      content: entry.content.padEnd(bytes - JSON.stringify(entry).length + 2, "word "),
    });
  });
  return `[${lines.join(",")}]`;
}

async function issue(sidecar: ServerProcess, sessionId: string, value: string): Promise<void> {
  const key = { case: "identity" as const, value: { tenantId: "bench", sessionId } };
  const document = { format: "openai-chat/1", content: { case: "text" as const, value } };
  const request = create(IssueRequestSchema, { key, document });
  await sidecar.call(`${service}/Issue`, Buffer.from(toBinary(IssueRequestSchema, request)));
}

function requestFor(schema: typeof ReplayRequestSchema | typeof ResumeRequestSchema, sessionId: string): Buffer {
  const thread = { by: { case: "identity" as const, value: { tenantId: "bench", sessionId } } };
  return Buffer.from(toBinary(schema, create(schema, { thread })));
}

/** One method with ready bytes as its request; answers are counted and not decoded. */
interface Stream {
  readonly all: () => Promise<readonly Buffer[]>;
  /** Up to the message of this number, then it is cancelled. */
  readonly until: (messages: number) => Promise<void>;
  readonly close: () => void;
}

function stream(server: ServerProcess, path: string, request: Buffer): Stream {
  const options = { "grpc.enable_http_proxy": 0, "grpc.max_receive_message_length": -1 };
  const client = new Client(server.address, credentials.createInsecure(), options);
  const pass = (bytes: Buffer): Buffer => bytes;
  const call = () => client.makeServerStreamRequest(path, pass, pass, request);
  return {
    all: async () => {
      const found: Buffer[] = [];
      for await (const message of call()) found.push(message);
      return found;
    },
    until: async (messages) => {
      const running = call().on("error", () => undefined); // what the cancel ends it with
      let left = messages;
      for await (const _ of running) {
        left -= 1;
        if (left === 0) break;
      }
      running.cancel();
    },
    close: () => client.close(),
  };
}

async function many({ all }: Stream): Promise<void> {
  let left = streamsInARound;
  const reader = async (): Promise<void> => {
    while (left-- > 0) await all();
  };
  await Promise.all(Array.from({ length: atOnce }, reader));
}

async function firsts({ until }: Stream): Promise<void> {
  for (let turn = 0; turn < firstsInARound; turn += 1) await until(2);
}

async function resumes({ all }: Stream): Promise<void> {
  for (let turn = 0; turn < firstsInARound; turn += 1) await all();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function framed(message: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return [length, message];
}
