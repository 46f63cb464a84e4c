import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import {
  ConversationService,
  ReplayRequestSchema,
  ResumeRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { type DocumentClient, documentClients, enveloped, largeDocument, pathOf } from "./document-load.ts";

/** The figure of docs/operations.md, for the defaults and the heap that the image has. */
const podMiB = 768;
const heap = "--max-old-space-size=128";

const document = largeDocument(6_000_000);
const sessions = ["a", "b", "c"];
const folder = temporaryFolder();
const socket = join(folder.path, "data.sock");
const dist = join(folder.path, "dist");
let sidecar: ChildProcess;
let clients: readonly DocumentClient[];
let address: string;

beforeAll(async () => {
  await once(spawn(process.execPath, [fileURLToPath(new URL("../../tools/build.ts", import.meta.url)), dist]), "exit");
}, 60_000);

afterAll(() => folder.remove());

/** Starts the bundle as the image runs it, with three threads in its store. */
async function start(env: Readonly<Record<string, string>>): Promise<void> {
  const flags = ["--listen", "127.0.0.1:0", "--listen", `unix:${socket}`, "--admin-listen", "none"];
  const data = ["--data-dir", join(folder.path, "data")];
  sidecar = spawn(process.execPath, [heap, join(dist, "fermata.js"), "serve", ...flags, ...data], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], ...env },
  });
  if (sidecar.stdout === null) throw new Error("no stdout");
  const [first] = await once(createInterface({ input: sidecar.stdout }), "line");
  address = JSON.parse(first).listening[0];
  clients = documentClients(address, document);
  for (const session of sessions) expect(await clients[0]?.write(session)).toBe("right");
}

async function stop(): Promise<void> {
  for (const client of clients) client.close();
  sidecar.kill("SIGKILL");
  await once(sidecar, "exit");
}

describe("a sidecar whose callers together want more than it may hold", () => {
  beforeAll(() => start({}), 60_000);
  afterAll(stop);

  it(`answers 32 readers and 8 writers of 6 MB rightly or OVERLOADED, in less than ${podMiB} MiB`, async () => {
    let peak = 0;
    const sampling = setInterval(() => {
      peak = Math.max(peak, rssMiB());
    }, 50);
    const until = Date.now() + 5_000;
    const endings = new Map<string, number>();
    const lane = async (number: number, what: "read" | "write"): Promise<void> => {
      const client = clients[number % clients.length];
      const session = sessions[number % sessions.length] ?? "";
      while (client !== undefined && Date.now() < until) {
        const ending = await client[what](session);
        endings.set(ending, (endings.get(ending) ?? 0) + 1);
        if (ending === "overloaded") await new Promise((resume) => setTimeout(resume, 250)); // as it was told
      }
    };
    const readers = Array.from({ length: 32 }, (_, number) => lane(number, "read"));
    const writers = Array.from({ length: 8 }, (_, number) => lane(number, "write"));
    await Promise.all([...readers, ...writers]);
    clearInterval(sampling);
    expect([...endings.keys()].filter((ending) => ending !== "right" && ending !== "overloaded")).toEqual([]);
    expect(endings.get("right") ?? 0).toBeGreaterThan(5);
    expect(peak).toBeLessThan(podMiB);
  }, 60_000);

  it("shows one entry of 7 MiB as JSON, in which its bytes are base64", async () => {
    const identity = { tenantId: "acme", sessionId: "one-entry" };
    const content = "a tool that says much ".repeat(330_000);
    const text = JSON.stringify([{ role: "user", content }]);
    const issued = await post("Issue", { identity, document: { format: "openai-chat/1", text } });
    expect(issued.status).toBe(200);
    for (let time = 0; time < 3; time += 1) {
      const shown = await post("GetTranscript", { thread: { identity } });
      expect(Buffer.from(shown.text.entries?.[0]?.content ?? "", "base64").toString()).toBe(
        JSON.stringify({ role: "user", content }),
      );
    }
  }, 60_000);
});

describe("a sidecar whose readers take nothing", () => {
  const deadlines = { FERMATA_LIMITS_CALL_DEADLINE: "3s", FERMATA_LIMITS_REPLAY_DEADLINE: "3s" };
  beforeAll(() => start(deadlines), 60_000);
  afterAll(stop);

  it.each([
    { by: "Connect JSON on HTTP/1.1", open: silentHttp1 },
    { by: "gRPC", open: () => silentHttp2("application/grpc", "resume") },
    { by: "gRPC-Web on HTTP/2", open: () => silentHttp2("application/grpc-web+proto", "resume") },
  ])(
    "is full by $by, and lets go at their deadline",
    async ({ open }) => {
      const silent = Array.from({ length: 30 }, open);
      await expect.poll(() => clients[0]?.read("a"), { timeout: 5_000, interval: 100 }).toBe("overloaded");
      for (const client of clients) {
        await expect.poll(() => client.read("a"), { timeout: 15_000, interval: 100 }).toBe("right");
      }
      for (const end of silent) end();
    },
    60_000,
  );

  it("reads beside replays whose readers take nothing, and ends those at their deadline", async () => {
    const silent = Array.from({ length: 32 }, () => silentHttp2("application/grpc", "replay"));
    await expect.poll(() => replays(), { timeout: 2_000, interval: 50 }).toBe(false);
    for (const client of clients) expect(await client.read("a")).toBe("right");
    await expect.poll(() => replays(), { timeout: 15_000, interval: 100 }).toBe(true);
    for (const end of silent) end();
  }, 60_000);
});

const thread = { by: { case: "identity", value: { tenantId: "acme", sessionId: "a" } } } as const;

/** Asks for a document and never reads; the answer ends it. */
function silentHttp1(): () => void {
  const { method } = ConversationService;
  const headers = { host: "localhost", "content-type": "application/json" };
  const sent = request({ socketPath: socket, method: "POST", path: pathOf(method.resume), headers });
  sent.on("error", () => undefined);
  sent.on("response", () => undefined); // whose body stays where it is
  sent.end(toJsonString(ResumeRequestSchema, create(ResumeRequestSchema, { thread })));
  return () => void sent.destroy();
}

function silentHttp2(type: string, name: "resume" | "replay"): () => void {
  const session = connectHttp2("http://localhost", { createConnection: () => connectSocket(socket) });
  session.on("error", () => undefined);
  const { method } = ConversationService;
  const stream = session.request({
    ":method": "POST",
    ":path": pathOf(method[name]),
    "content-type": type,
    te: "trailers",
  });
  stream.on("error", () => undefined);
  const schema = name === "resume" ? ResumeRequestSchema : ReplayRequestSchema;
  stream.end(enveloped(toBinary(schema, create(schema, { thread }))));
  return () => session.destroy();
}

interface Text {
  readonly entries?: readonly { readonly content: string }[];
}

/** One call by Connect JSON. */
async function post(method: string, body: object) {
  const url = `http://${address}/${ConversationService.typeName}/${method}`;
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text: Text = JSON.parse(await answer.text());
  return { status: answer.status, text };
}

/** Whether a replay is let in. */
async function replays(): Promise<boolean> {
  const client = connect(`unix:${socket}`, 10_000);
  try {
    for await (const answer of client.serverStream(ConversationService.method.replay, { thread })) {
      return answer.kind !== "ended";
    }
    return false;
  } finally {
    client.close();
  }
}

function rssMiB(): number {
  const status = readFileSync(`/proc/${sidecar.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
