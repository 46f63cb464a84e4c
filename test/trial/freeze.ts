import { parseArgs } from "node:util";
import { type FreezeSummary, freezeTrial } from "./freeze-trial.ts";
import { brokenGates } from "./freeze-variants.ts";
import { brokenVariant } from "./variant.ts";

/** `npm run trial:freeze -- --trials N`: the wall, then the same against the broken gates. Ends with 1 when anything is not as it must be. */
const { values } = parseArgs({ options: { trials: { type: "string", default: "300" } } });
const trials = Number(values.trials);
const onTrial = (done: number, violated: number): void => {
  if (done % 100 === 0) console.log(`  ${done} trials, ${violated} with new state behind the wall`);
};

const whole = await freezeTrial({ trials, onTrial });
console.log(words(whole));
let passed = whole.violated === 0 && whole.wrong.length === 0 && whole.busy >= 0.95 * trials;

for (const patch of brokenGates) {
  const variant = brokenVariant(patch);
  console.log(`\nbroken on purpose: ${variant.diff}`);
  const broken = await freezeTrial({ trials: Math.min(trials, 300), checkout: variant.checkout });
  variant.remove();
  console.log(words(broken));
  passed &&= broken.violated > 0;
}
process.exitCode = passed ? 0 : 1;

function words({ trials, violated, violations, busy, acknowledged, wrong, freezes }: FreezeSummary): string {
  const sorted = freezes.toSorted((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1);
  return [
    `${trials} freezes: new state behind the wall in ${violated} (${((100 * violated) / trials).toFixed(1)} %)`,
    `a write acknowledged before the freeze in ${((100 * busy) / trials).toFixed(1)} %, ${acknowledged} acknowledged in all`,
    `FROZEN after ${at(0.5)} ms in the middle, ${at(0.99)} ms at p99; ${wrong.length} wrong`,
    ...[...violations, ...wrong].slice(0, 8).map((line) => `  ${line}`),
  ].join("\n");
}
