import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const FOLDER = "test/cases/artifacts";

describe("histories that real libraries wrote", () => {
  it.each(artifacts("pydantic-ai"))("$file", ({ file, expect: expected, why }) => {
    expect(judge("pydantic-ai", readJson(file)), why).toSatisfy(agreesWith(expected));
  });

  it.each(artifacts("openai-agents-session"))(
    "$file, its items as openai-responses",
    ({ file, expect: expected, why }) => {
      const rows: readonly { readonly message_data: string }[] = readJson(file).tables.agent_messages;
      const items = rows.map((row) => JSON.parse(row.message_data));
      expect(judge("openai-responses", items), why).toSatisfy(agreesWith(expected));
    },
  );

  it("are all there", () => {
    expect(artifacts("pydantic-ai")).toHaveLength(10);
    expect(artifacts("openai-agents-session")).toHaveLength(6);
  });
});

interface Artifact {
  readonly file: string;
  readonly format: string;
  readonly expect: Expected;
  readonly why: string;
}

interface Expected {
  readonly verdict: string;
  readonly kind?: string;
  readonly cause: string | null;
  readonly accept?: readonly string[];
  readonly openCalls: readonly string[];
  readonly completedCalls?: readonly string[];
}

function agreesWith(expected: Expected): (verdict: ReturnType<typeof judge>) => boolean {
  return (verdict) => {
    if (verdict.verdict === "SAFE") return expected.verdict === "SAFE" && verdict.boundary === expected.kind;
    if (verdict.verdict !== "UNSAFE" || expected.verdict !== "UNSAFE") return false;
    const causes = [expected.cause, ...(expected.accept ?? [])];
    return (
      causes.includes(verdict.cause) &&
      String(verdict.openCalls) === String(expected.openCalls) &&
      (expected.completedCalls === undefined || String(verdict.completedCalls) === String(expected.completedCalls))
    );
  };
}

function artifacts(format: string): readonly Artifact[] {
  const index: readonly Artifact[] = readJson("index.json");
  return index.filter((artifact) => artifact.format === format);
}

function readJson(file: string) {
  return JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8"));
}
