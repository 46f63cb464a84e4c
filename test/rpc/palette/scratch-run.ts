import { readFileSync } from "node:fs";
import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { parseOperatorStages } from "../../../src/domain/palette/operator-stages.ts";
import { PaletteService } from "../../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { RefusalSchema } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { registerTools } from "../../../src/rpc/palette/register-tools.ts";
import { resolve } from "../../../src/rpc/palette/resolve.ts";
import { verifyCalls } from "../../../src/rpc/palette/verify-calls.ts";
import { openRegistries } from "../../../src/store/registries.ts";
import { toStatus } from "../../../src/transport/status.ts";

const file = JSON.parse(readFileSync(new URL("../../scenarios/palette.json", import.meta.url), "utf8"));
const get = (v: any, path: string) => path.split(".").reduce((x, k) => x?.[k], v);
const isDefault = (v: any) =>
  v === undefined || v === null || v === "" || v === 0 || v === false || (Array.isArray(v) && v.length === 0);
function contains(got: any, want: any): boolean {
  if (Array.isArray(want))
    return Array.isArray(got) && got.length === want.length && want.every((w, i) => contains(got[i], w));
  if (want !== null && typeof want === "object") return Object.entries(want).every(([k, w]) => contains(got?.[k], w));
  return got === want || (got === undefined && isDefault(want));
}
let passed = 0;
for (const s of file.scenarios) {
  const reg = openRegistries();
  const op = parseOperatorStages(s.config?.palette?.stages ?? []);
  if (op.kind !== "ok") throw new Error("stages");
  const rpcs: any = {
    Resolve: resolve({ registryOf: reg.find, operatorStages: () => op.value }),
    RegisterTools: registerTools(reg),
    VerifyCalls: verifyCalls({ registryOf: reg.find }),
  };
  const caps: any = {};
  let fine = true;
  for (const step of s.steps) {
    const m = PaletteService.methods.find((x) => `fermata.palette.v1.PaletteService/${x.name}` === step.rpc)!;
    const req = JSON.parse(JSON.stringify(step.request), (_k, v) =>
      typeof v === "string" && v.startsWith("$") ? caps[v.slice(1)] : v,
    );
    const out = await rpcs[m.name](fromBinary(m.input, toBinary(m.input, fromJson(m.input, req) as any) as any), {
      deadline: Date.now() + 1000,
      signal: new AbortController().signal,
    });
    const e = step.expect;
    if (e.ok) {
      const json: any =
        out.kind === "ok" ? toJson(m.output, fromBinary(m.output, toBinary(m.output, out.value))) : undefined;
      const good =
        json &&
        contains(json, e.ok) &&
        (e.absent ?? []).every((p: string) => isDefault(get(json, p))) &&
        (e.present ?? []).every((p: string) => !isDefault(get(json, p)));
      for (const [k, p] of Object.entries(step.capture ?? {})) caps[k] = get(json, p as string);
      if (!good) {
        fine = false;
        console.log(
          "FAIL",
          s.name,
          JSON.stringify(json ?? out, (k, v) => (typeof v === "bigint" ? String(v) : v)),
        );
      }
      if (s.name === "explain") console.log(JSON.stringify(json, null, 1));
    } else {
      const st = out.kind === "refusal" ? toStatus(out) : undefined;
      const leaf: any =
        out.kind === "refusal"
          ? toJson(RefusalSchema, { $typeName: "fermata.refusal.v1.Refusal", leaf: out.leaf, remedy: 0 } as any)
          : undefined;
      const { remedy, ...wantLeaf } = e.leaf ?? {};
      const good =
        st &&
        st.code === e.code &&
        st.reason === e.reason &&
        contains(leaf, wantLeaf) &&
        (!e.field || out.leaf.value.violations[0].field === e.field);
      if (!good) {
        fine = false;
        console.log("FAIL", s.name, st, JSON.stringify(leaf));
      }
    }
  }
  if (fine) passed++;
}
console.log(passed, "of", file.scenarios.length);
