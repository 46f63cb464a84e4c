import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  ConversationService,
  IssueRequestSchema,
  IssueResponseSchema,
} from "../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { turnOf } from "./histories.ts";
import { type Figure, median } from "./report.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const rounds = 5;
const long = { entries: 2_000, calls: 12 };
const short = { entries: 20, calls: 200 };

/** What a byte of a long history costs the sidecar over what a byte of a short one does, each sent whole with every checkpoint. */
export async function benchHistory(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "fermata-bench-"));
  const settings = { listen: ["127.0.0.1:0"], adminListen: "none", logLevel: "warn", dataDir: join(folder, "data") };
  const sidecar = await startServerProcess("sidecar", JSON.stringify(settings));
  const measured: { readonly long: number; readonly short: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ofLong = await cpuPerByte(sidecar, `long-${round}`, long);
    const ofShort = await cpuPerByte(sidecar, `short-${round}`, short);
    if (round > 0) measured.push({ long: ofLong, short: ofShort });
  }
  sidecar.stop();
  rmSync(folder, { recursive: true, force: true });
  const of = (name: "long" | "short"): string => (median(measured.map((round) => round[name])) * 1_000).toFixed(0);
  return [
    {
      name: `Issue on a thread of ${long.entries} entries over one of ${short.entries}, per byte sent`,
      rounds: measured.map((round) => round.long / round.short),
      bound: { kind: "at most", value: 1.5 },
      note: `${of("long")} over ${of("short")} ns of server CPU a byte`,
    },
  ];
}

interface Shape {
  readonly entries: number;
  readonly calls: number;
}

/** Microseconds. The thread begins with its history; then each call sends it whole with one turn exchanged at its end. */
async function cpuPerByte(sidecar: ServerProcess, session: string, { entries, calls }: Shape): Promise<number> {
  const kept = Array.from({ length: entries / 4 - 1 }, (_unused, turn) => turnOf(turn)).flat();
  let head = await issue(sidecar, requestOf(session, kept, undefined));
  let bytes = 0;
  const cpu = await sidecar.cpuWhile(async () => {
    for (let call = 0; call < calls; call += 1) {
      const request = requestOf(session, [...kept, ...turnOf(entries + call)], head);
      bytes += request.length;
      head = await issue(sidecar, request);
    }
  });
  return cpu / bytes;
}

async function issue(sidecar: ServerProcess, request: Buffer): Promise<string> {
  const path = `/${ConversationService.typeName}/${ConversationService.method.issue.name}`;
  const answer = fromBinary(IssueResponseSchema, await sidecar.call(path, request));
  return answer.checkpoint?.ref?.checkpointId ?? "";
}

function requestOf(sessionId: string, entries: readonly object[], expectedHead: string | undefined): Buffer {
  const request = create(IssueRequestSchema, {
    key: { case: "identity", value: { tenantId: "bench", sessionId } },
    document: { format: "openai-chat/1", content: { case: "text", value: JSON.stringify(entries) } },
    ...(expectedHead === undefined ? {} : { expectedHead }),
  });
  return Buffer.from(toBinary(IssueRequestSchema, request));
}
