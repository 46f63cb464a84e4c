import { create, toBinary } from "@bufbuild/protobuf";
import { RegisterToolsRequestSchema, ResolveRequestSchema } from "../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { type Figure, median } from "./report.ts";
import { type Load, type ServerProcess, startServerProcess } from "./server-process.ts";

const resolvePath = "/fermata.palette.v1.PaletteService/Resolve";
const registerPath = "/fermata.palette.v1.PaletteService/RegisterTools";
const rounds = 5;

/** Server CPU of Resolve over its floors and over itself at other sizes. */
export async function benchPalette(): Promise<readonly Figure[]> {
  const sidecar = await startServerProcess(
    "sidecar",
    JSON.stringify({ listen: ["127.0.0.1:0"], adminListen: "none", store: "none" }),
  );
  const request = resolveRequest({ tools: 50, rows: 10 });
  const answer = await sidecar.call(resolvePath, request);
  const echo = await startServerProcess("echo", answer.toString("base64"));
  const connect = await startServerProcess("connect", "");
  await sidecar.call(
    registerPath,
    Buffer.from(
      toBinary(RegisterToolsRequestSchema, create(RegisterToolsRequestSchema, { registry: registryOf(1_000) })),
    ),
  );
  const digest = await digestOf(sidecar);
  const small = { path: resolvePath, request, calls: 4_000, concurrency: 16 };
  const cases: Record<string, [ServerProcess, Load]> = {
    echo: [echo, { ...small, path: "/bench.Echo/Call" }],
    inline50: [sidecar, small],
    connect50: [connect, { ...small, calls: 1_000 }],
    digest1000: [sidecar, { ...small, request: resolveRequest({ digest, rows: 10 }) }],
    inline1000: [sidecar, { ...small, request: resolveRequest({ tools: 1_000, rows: 1_000 }), calls: 300 }],
    inline10000: [
      sidecar,
      { ...small, request: resolveRequest({ tools: 10_000, rows: 10_000 }), calls: 30, concurrency: 2 },
    ],
    oneStar: [sidecar, { ...small, request: globRequest(1), calls: 2_000 }],
    thirtyStars: [sidecar, { ...small, request: globRequest(30), calls: 500 }],
  };
  const measured = await inTurns(cases);
  for (const server of [sidecar, echo, connect]) server.stop();
  return figuresOf(measured);
}

type Measured = Readonly<Record<string, readonly number[]>>;

/** Every case once a round, after one round that only warms up. */
async function inTurns(cases: Readonly<Record<string, [ServerProcess, Load]>>): Promise<Measured> {
  const measured: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, [server, load]] of Object.entries(cases)) {
      const cpu = await server.cpuPerCall(load);
      if (round > 0) measured[name] = [...(measured[name] ?? []), cpu];
    }
  }
  return measured;
}

function figuresOf(measured: Measured): readonly Figure[] {
  const ratio = (over: string, under: string): Pick<Figure, "rounds" | "note"> => ({
    rounds: (measured[over] ?? []).map((value, round) => value / (measured[under]?.[round] ?? Number.NaN)),
    note: `${median(measured[over] ?? []).toFixed(0)} over ${median(measured[under] ?? []).toFixed(0)} µs of server CPU a call`,
  });
  const atMost = (value: number) => ({ kind: "at most" as const, value });
  return [
    { name: "Resolve (50 tools, 10 names) over a bare grpc-js echo", ...ratio("inline50", "echo"), bound: atMost(2) },
    {
      name: "the same on a plain connect-node server over ours",
      ...ratio("connect50", "inline50"),
      bound: { kind: "at least", value: 3 },
    },
    { name: "1,000 tools by digest over 50 inline", ...ratio("digest1000", "inline50"), bound: atMost(1.5) },
    { name: "10,000 tools and rows over 1,000", ...ratio("inline10000", "inline1000"), bound: atMost(13) },
    { name: "a glob of 30 stars over one star", ...ratio("thirtyStars", "oneStar"), bound: atMost(30) },
  ];
}

function registryOf(tools: number) {
  return {
    tools: Array.from({ length: tools }, (_unused, index) => ({ name: `server_${index % 7}__operation_${index}` })),
  };
}

interface Shape {
  readonly tools?: number;
  readonly digest?: Uint8Array;
  readonly rows: number;
}

function resolveRequest({ tools, digest, rows }: Shape): Buffer {
  const registered =
    digest === undefined
      ? { case: "registry" as const, value: registryOf(tools ?? 0) }
      : { case: "registryDigest" as const, value: digest };
  const skillRows = Array.from({ length: rows }, (_unused, index) => {
    const tool = (index * 5) % Math.max(rows, tools ?? 50);
    return { skillId: `skill-${index}`, actionTool: `server_${tool % 7}__operation_${tool}`, content: "" };
  });
  const request = create(ResolveRequestSchema, {
    registered,
    procedural: { case: "skills", value: { rows: skillRows } },
  });
  return Buffer.from(toBinary(ResolveRequestSchema, request));
}

/** Names that nearly match: the worst for a matcher that backtracks. */
function globRequest(stars: number): Buffer {
  const tools = Array.from({ length: 50 }, (_unused, index) => ({ name: `${"a".repeat(110)}${index}` }));
  const glob = `${"*a".repeat(stars)}b`;
  const stages = [{ name: "deny", rule: { case: "deny" as const, value: { globs: [glob] } } }];
  return Buffer.from(
    toBinary(
      ResolveRequestSchema,
      create(ResolveRequestSchema, { registered: { case: "registry", value: { tools } }, stages }),
    ),
  );
}

async function digestOf(sidecar: ServerProcess): Promise<Uint8Array> {
  const request = create(RegisterToolsRequestSchema, { registry: registryOf(1_000) });
  const answer = await sidecar.call(registerPath, Buffer.from(toBinary(RegisterToolsRequestSchema, request)));
  return answer.subarray(2, 34); // field 1, 32 bytes
}
