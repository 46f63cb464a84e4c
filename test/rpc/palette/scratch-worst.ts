import { create } from "@bufbuild/protobuf";
import { call, paletteService, request } from "./palette-calls.ts";
import { toStage } from "../../domain/palette/turns.ts";
const tools = Array.from({ length: 10000 }, (_, i) => `${i}`.padEnd(128, "a"));
for (const [stages, globs] of [[1, 16], [1, 256], [4, 256]] as const) {
  const st = Array.from({ length: stages }, (_, s) => toStage({ name: `s${s}`, deny: { globs: Array.from({ length: globs }, (_, g) => "*aaaab".repeat(40) + g) } }));
  const sent = request(tools, { stages: st }); const t = performance.now();
  const o: any = paletteService().resolve(sent, call()); console.log(stages, globs, o.kind, (performance.now() - t).toFixed(0), "ms");
}
const g = Array.from({ length: 256 }, (_, i) => `x${i}*`);
const sent = request(tools, { stages: [toStage({ name: "s", deny: { globs: g } })] }); const t = performance.now();
paletteService().resolve(sent, call()); console.log("ordinary prefix globs 256", (performance.now() - t).toFixed(0), "ms");
