import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { compileGlob } from "../../../src/domain/palette/glob.ts";
import { parseOperatorStages } from "../../../src/domain/palette/operator-stages.ts";
import { parseRegistry } from "../../../src/domain/palette/registry.ts";
import { ResolveRequestSchema, ResolveResponseSchema } from "../../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { resolve } from "../../../src/rpc/palette/resolve.ts";
import { openRegistries } from "../../../src/store/registries.ts";

const reg = openRegistries();
const none = parseOperatorStages([]);
if (none.kind !== "ok") throw 1;
const rpc = resolve({ registryOf: reg.find, operatorStages: () => none.value });
const call = { deadline: Date.now() + 1e6, signal: new AbortController().signal };
const tools = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `tool_number_${i}` }));
function req(n: number, rows: number, digest?: Uint8Array) {
  return create(ResolveRequestSchema, {
    registered: digest ? { case: "registryDigest", value: digest } : { case: "registry", value: { tools: tools(n) } },
    procedural: {
      case: "skills",
      value: {
        rows: Array.from({ length: rows }, (_, i) => ({
          skillId: `skill-${i}`,
          actionTool: `tool_number_${(i * 7) % n}`,
        })),
      },
    },
  });
}
function time(name: string, n: number, f: () => unknown) {
  for (let i = 0; i < n / 4; i++) f();
  const a = process.cpuUsage();
  for (let i = 0; i < n; i++) f();
  const b = process.cpuUsage(a);
  const us = (b.user + b.system) / n;
  console.log(name.padEnd(44), us.toFixed(2), "us");
  return us;
}
const bytes = toBinary(ResolveRequestSchema, req(50, 10));
const msg = fromBinary(ResolveRequestSchema, bytes);
const out: any = rpc(msg, call);
if (out.kind !== "ok") throw 1;
const registry = msg.registered.value as any;
for (let r = 0; r < 2; r++) {
  time("  fromBinary 50/10", 20000, () => fromBinary(ResolveRequestSchema, bytes));
  time("  parseRegistry 50", 20000, () => parseRegistry(registry));
  time("  rpc 50/10", 20000, () => rpc(msg, call));
  time("  toBinary", 20000, () => toBinary(ResolveResponseSchema, out.value));
  const inline = time("all 50/10 inline", 20000, () =>
    toBinary(ResolveResponseSchema, (rpc(fromBinary(ResolveRequestSchema, bytes), call) as any).value),
  );
  const big = parseRegistry(create(ResolveRequestSchema, req(1000, 1)).registered.value as any);
  if (big.kind !== "ok") throw 1;
  reg.keep(big.value);
  const dbytes = toBinary(ResolveRequestSchema, req(1000, 10, big.value.digest));
  const d = time("all 1000 by digest/10", 20000, () =>
    toBinary(ResolveResponseSchema, (rpc(fromBinary(ResolveRequestSchema, dbytes), call) as any).value),
  );
  const k = toBinary(ResolveRequestSchema, req(1000, 1000)),
    tk = toBinary(ResolveRequestSchema, req(10000, 10000));
  const a = time("all 1000/1000 inline", 400, () =>
    toBinary(ResolveResponseSchema, (rpc(fromBinary(ResolveRequestSchema, k), call) as any).value),
  );
  const b = time("all 10000/10000 inline", 60, () =>
    toBinary(ResolveResponseSchema, (rpc(fromBinary(ResolveRequestSchema, tk), call) as any).value),
  );
  console.log("digest/inline", (d / inline).toFixed(2), "10k/1k", (b / a).toFixed(2));
  const one = compileGlob("*x"),
    thirty = compileGlob("*a".repeat(30) + "*x"),
    worst = compileGlob("*aaaaab".repeat(30)),
    name = "a".repeat(128);
  const g1 = time("glob 1 star", 200000, () => one(name)),
    g30 = time("glob 30 stars", 200000, () => thirty(name)),
    gw = time("glob 30 stars worst", 20000, () => worst(name));
  console.log((g30 / g1).toFixed(1), (gw / g1).toFixed(1));
}
