import { parseArgs } from "node:util";
import { oneHeadTrial } from "./one-head-trial.ts";

/** `npm run trial:heads -- --rounds N`: how the races for one head ended, and 1 as its exit code when anything was wrong. */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "1000" } } });
const { wrong, ...counts } = await oneHeadTrial(Number(values.rounds));
console.log(`${JSON.stringify(counts)}, ${wrong.length} wrong`);
for (const words of wrong) console.log(`  ${words}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
