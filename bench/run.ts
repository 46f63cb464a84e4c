import { fileURLToPath } from "node:url";
import { benchGrowth } from "./conversation-growth.ts";
import { benchHistory } from "./conversation-history.ts";
import { benchIssuance } from "./conversation-issuance.ts";
import { benchJudge } from "./conversation-judge.ts";
import { benchFreeze } from "./freeze.ts";
import { benchPalette } from "./palette.ts";
import { benchPythonClient } from "./python-client.ts";
import { benchReplay } from "./replay.ts";
import { draw, holds, writeResults } from "./report.ts";

/** `npm run bench`: measures, draws, writes bench/results.md, and ends with 1 if a bound is not kept. */
const figures = [
  ...(await benchPalette()),
  ...benchJudge(),
  ...(await benchIssuance()),
  ...(await benchHistory()),
  ...(await benchGrowth()),
  ...(await benchFreeze()),
  ...(await benchReplay()),
  ...(await benchPythonClient()),
];
console.log(draw(figures));
writeResults(fileURLToPath(new URL("./results.md", import.meta.url)), figures);
process.exitCode = figures.every(holds) ? 0 : 1;
