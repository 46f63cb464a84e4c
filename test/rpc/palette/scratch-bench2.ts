import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { parseOperatorStages } from "../../../src/domain/palette/operator-stages.ts";
import { parseRegistry } from "../../../src/domain/palette/registry.ts";
import { route } from "../../../src/domain/palette/routing.ts";
import { ResolveRequestSchema, ResolveResponseSchema } from "../../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { resolve } from "../../../src/rpc/palette/resolve.ts";
import { openRegistries } from "../../../src/store/registries.ts";

const reg = openRegistries();
const none = parseOperatorStages([]);
if (none.kind !== "ok") throw 1;
const rpc = resolve({ registryOf: reg.find, operatorStages: () => none.value });
const call = { deadline: Date.now() + 1e6, signal: new AbortController().signal };
const tools = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `tool_number_${i}` }));
function req(n: number, rows: number) {
  return create(ResolveRequestSchema, {
    registered: { case: "registry", value: { tools: tools(n) } },
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
function time(n: number, f: () => unknown) {
  for (let i = 0; i < n / 4; i++) f();
  const a = process.cpuUsage();
  for (let i = 0; i < n; i++) f();
  const b = process.cpuUsage(a);
  return (b.user + b.system) / n;
}
const K = [1000, 10000].map((n) => {
  const bytes = toBinary(ResolveRequestSchema, req(n, n));
  const msg = fromBinary(ResolveRequestSchema, bytes) as any;
  const out = rpc(msg, call) as any;
  const r = (parseRegistry(msg.registered.value) as any).value;
  const reps = 1000000 / n;
  return {
    fromBinary: time(reps, () => fromBinary(ResolveRequestSchema, bytes)),
    parse: time(reps, () => parseRegistry(msg.registered.value)),
    route: time(reps, () => route({ kind: "rows", rows: msg.procedural.value.rows }, r)),
    rpc: time(reps, () => rpc(msg, call)),
    toBinary: time(reps, () => toBinary(ResolveResponseSchema, out.value)),
  } as any;
});
for (const k of Object.keys(K[0]))
  console.log(k.padEnd(12), K[0][k].toFixed(0), K[1][k].toFixed(0), (K[1][k] / K[0][k]).toFixed(1));
