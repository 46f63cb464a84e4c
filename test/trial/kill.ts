import { parseArgs } from "node:util";
import { killTrial } from "./kill-trial.ts";

/** `npm run trial:kill -- --cycles N`: one line a cycle, a summary, and 1 as its exit code when anything was wrong. */
const { values } = parseArgs({ options: { cycles: { type: "string", default: "5" } } });
const begun = performance.now();
const summary = await killTrial({
  cycles: Number(values.cycles),
  onCycle: (cycle, acknowledged, { found, wrong }) =>
    console.log(`cycle ${cycle}: ${acknowledged} acknowledged, ${found} found again, ${wrong.length} wrong`),
});
const { wrong, startAfterKill, plainStart, ...counts } = summary;
console.log(`${JSON.stringify(counts)}
a start takes ${startAfterKill.toFixed(0)} ms after a kill and ${plainStart.toFixed(0)} ms else (${(startAfterKill / plainStart).toFixed(2)} times)
${wrong.length} wrong, in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
for (const words of wrong) console.log(`  ${words}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
