import { describe, expect, it } from "vitest";
import { search } from "../../src/cli/explain.ts";
import { entries } from "../../src/cli/taxonomy.ts";

const named = (reason: string) => search(reason).map((entry) => [entry.reason, entry.cause].filter(Boolean).join("."));

describe("the reason", () => {
  it.each(entries)("$reason $cause is found by its name and says what to do", (entry) => {
    const name = entry.cause === undefined ? entry.reason : `${entry.reason}.${entry.cause}`;
    expect(search(name)[0]).toEqual(entry);
    expect(search(name.toLowerCase())[0]).toEqual(entry);
    expect(entry).toMatchObject({ advice: expect.stringMatching(/\S{3}/), text: expect.stringMatching(/\S{3}/) });
    expect(entry.remedy).not.toContain("REMEDY");
    expect(entry.codeName).not.toContain("CODE_");
  });

  it.each([
    { reason: "HEAD_CONFLICT", found: ["HEAD_CONFLICT"] },
    { reason: "head-conflict", found: ["HEAD_CONFLICT"] },
    { reason: "corrupt", found: ["CHECKPOINT_FORMAT.CORRUPT"] },
    { reason: "CAUSE_CORRUPT", found: ["CHECKPOINT_FORMAT.CORRUPT"] },
    { reason: "CHECKPOINT_FORMAT{CORRUPT}", found: ["CHECKPOINT_FORMAT.CORRUPT"] },
    {
      reason: "forced_tool_unavailable",
      found: [
        "FORCED_TOOL_UNAVAILABLE",
        "FORCED_TOOL_UNAVAILABLE.NOT_REGISTERED",
        "FORCED_TOOL_UNAVAILABLE.EXCLUDED_BY_PALETTE",
      ],
    },
    { reason: "SEND_REGISTRY", found: ["REGISTRY_UNKNOWN"] },
    { reason: "MINT", found: ["AMBIGUOUS_THREAD_KEY.MINT"] },
    { reason: "freeze", found: ["FREEZE_NOT_FOUND", "FREEZE_PENDING"] },
    { reason: "no such thing", found: [] },
    { reason: "", found: [] },
  ])("$reason finds $found", ({ reason, found }) => {
    expect(named(reason)).toEqual(found);
  });
});
