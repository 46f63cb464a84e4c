import { describe, expect, it } from "vitest";
import { onADisk } from "./on-a-disk.ts";
import { syncTrial } from "./sync-trial.ts";
import { brokenVariant } from "./variant.ts";

const synchronous = (value: "OFF" | "NORMAL", code: number) => ({
  name: `a sidecar with synchronous=${value}`,
  file: "src/store/sqlite/connection.ts",
  from: 'settle(db, "synchronous", "FULL", 2);',
  to: `settle(db, "synchronous", "${value}", ${code});`,
});

onADisk("between a batch and its acknowledgements", () => {
  it("stands a completed sync of the WAL", async () => {
    const { acknowledged, batches, walSyncs, tooEarly } = await syncTrial();
    console.log({ acknowledged, batches, walSyncs, tooEarly });
    expect(tooEarly).toBe(0);
    expect(acknowledged).toBeGreaterThanOrEqual(600);
    expect(walSyncs).toBeGreaterThanOrEqual(batches - 1); // The first ones were checkpointed before the run.
  });

  describe("the same trial fails", () => {
    it.each([synchronous("OFF", 0), synchronous("NORMAL", 1)])("on $name", async (patch) => {
      const variant = brokenVariant(patch);
      try {
        const finding = await syncTrial(variant.checkout);
        console.log(variant.diff, finding);
        expect(finding.tooEarly).toBeGreaterThan(finding.acknowledged / 2);
      } finally {
        variant.remove();
      }
    });
  });
});
