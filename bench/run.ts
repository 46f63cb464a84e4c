import { fileURLToPath } from "node:url";
import { benchPalette } from "./palette.ts";
import { draw, holds, writeResults } from "./report.ts";

/** `npm run bench`: measures, draws, writes bench/results.md, and ends with 1 if a bound is not kept. */
const figures = [...(await benchPalette())];
console.log(draw(figures));
writeResults(fileURLToPath(new URL("./results.md", import.meta.url)), figures);
process.exitCode = figures.every(holds) ? 0 : 1;
