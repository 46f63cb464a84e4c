import { describe, expect, it } from "vitest";
import { freezeTrial } from "./freeze-trial.ts";
import { brokenGates } from "./freeze-variants.ts";
import { brokenVariant } from "./variant.ts";

describe("Freeze is a wall", () => {
  it("that no new state passes, whoever writes what when it is set", async () => {
    const { trials, violated, violations, busy, wrong } = await freezeTrial({ trials: 300 });
    expect({ violated, violations, wrong }).toEqual({ violated: 0, violations: [], wrong: [] });
    expect(busy).toBeGreaterThanOrEqual(0.95 * trials);
  });

  it.each(brokenGates)("which the trial sees broken when $name", async (patch) => {
    const variant = brokenVariant(patch);
    const { violated } = await freezeTrial({ trials: 40, checkout: variant.checkout });
    variant.remove();
    expect(violated).toBeGreaterThan(0);
  });
});
