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
    const { acknowledged, batches, walSyncs, tooEarly, elsewhere } = await syncTrial();
    console.log({ acknowledged, batches, walSyncs, tooEarly, elsewhere });
    expect(tooEarly).toBe(0);
    expect(elsewhere).toBe(0); // No page of a conversation leaves the data folder.
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

  it("sees the pages that a sidecar with SQLite's own temporary files writes somewhere else", async () => {
    const variant = brokenVariant({
      name: "a sidecar with temporary files",
      file: "src/store/sqlite/connection.ts",
      from: 'settle(db, "temp_store", "MEMORY", 2);',
      to: 'settle(db, "temp_store", "FILE", 1);',
    });
    try {
      const { elsewhere } = await syncTrial(variant.checkout);
      console.log(variant.diff, { elsewhere });
      expect(elsewhere).toBeGreaterThan(0);
    } finally {
      variant.remove();
    }
  });
});
