import { describe, expect, it } from "vitest";
import { killTrial } from "./kill-trial.ts";
import { brokenVariant } from "./variant.ts";

const minutes = 60_000;
const untold = { onCycle: () => undefined };

describe("five kills under load", () => {
  it("lose nothing that was acknowledged and leave nothing that nobody asked for", {
    timeout: 5 * minutes,
  }, async () => {
    const summary = await killTrial({ cycles: 5, ...untold });
    console.log(summary);
    expect(summary.wrong).toEqual([]);
    expect(summary.found + summary.stored).toBeGreaterThan(500);
    expect(summary.repeated).toBeGreaterThan(100);
  });

  it("are seen to lose one write in a hundred that is acknowledged and not made", {
    timeout: 2 * minutes,
  }, async () => {
    const variant = brokenVariant({
      name: "a batch that forgets one write in a hundred",
      file: "src/store/sqlite/batch.ts",
      from: 'if (decided.kind === "ok") applyChange(',
      to: 'if (decided.kind === "ok" && Math.random() > 0.01) applyChange(',
    });
    try {
      const summary = await killTrial({ cycles: 2, checkout: variant.checkout, ...untold });
      console.log(variant.diff, summary.wrong.slice(0, 5));
      expect(summary.wrong).not.toEqual([]);
    } finally {
      variant.remove();
    }
  });
});
