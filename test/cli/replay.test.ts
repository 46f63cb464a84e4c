import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestSidecar } from "../transport/sidecars.ts";
import { fermata } from "./fermata.ts";

const call = (id: string) => ({ id, type: "function", function: { name: "pay", arguments: `{"to":"${id}"}` } });
const text = JSON.stringify([
  { role: "user", content: "hi" },
  { role: "assistant", content: "hello \u001b[31m" },
  { role: "user", content: "pay both" },
  { role: "assistant", content: null, tool_calls: [call("c1"), call("c2")] },
  { role: "tool", tool_call_id: "c1", content: "paid" },
]);
const row = {
  derivation: "symfonic/9",
  writtenTime: "2026-01-01T00:00:00Z",
  document: { format: "openai-chat/1", text },
};

describe("the commands for replays, transcripts and owners", () => {
  const sidecar = new TestSidecar({});
  const ask = (...args: readonly string[]) => fermata([...args, "--target", sidecar.address]);
  const rows = (name: string, content: string): string => {
    const path = join(sidecar.folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  beforeAll(async () => {
    await sidecar.start();
    const one = { ...row, threadKey: "acme:_:s1" };
    expect(await ask("adopt", rows("one.json", JSON.stringify(one)))).toMatchObject({ code: 0, stderr: "" });
  });
  afterAll(() => sidecar.end());

  it("draws a replay: prefix, what to drive again, evidence, and what is in doubt", async () => {
    const { code, stdout } = await ask("replay", "acme:_:s1");
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^replay of [0-9a-f-]{36} from turn complete after 2 entries/);
    expect(lines).toContain("     0  P P|R E?E ");
    for (const title of ["drive again", "evidence", "in doubt"]) {
      expect(
        lines.filter((line) => line.startsWith(title)),
        stdout,
      ).toHaveLength(1);
    }
    expect(lines.at(-2)).toBe("     3  c2");
  });

  it("prints each message of a replay on a line of its own for a script", async () => {
    const { stdout } = await ask("replay", "--tenant", "acme", "--session", "s1", "--json");
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.map((message) => Object.keys(message)[0])).toEqual(["header", "entries", "trailer"]);
    expect(messages[2].trailer.entries).toBe("5");
  });

  it("shows a transcript with its times, and nothing of it steers the terminal", async () => {
    const { code, stdout } = await ask("transcript", "acme:_:s1");
    expect([code, stdout.trim().split("\n").length]).toEqual([0, 5]);
    expect(stdout.match(/2026-01-01T00:00:00.000Z/g)).toHaveLength(5);
    expect(stdout).not.toContain("\u001b");
    const json = await ask("transcript", "acme:_:s1", "--json");
    const contents = json.stdout
      .trim()
      .split("\n")
      .map((line) => Buffer.from(JSON.parse(line).content, "base64"));
    expect(`[${contents.join(",")}]`).toBe(text);
  });

  it("adopts the lines of a file, and reports what it could not", async () => {
    const lines = [
      JSON.stringify({ ...row, threadKey: "corp:_:2024:05" }),
      "not json",
      "",
      JSON.stringify({ ...row, threadKey: "short" }),
      JSON.stringify({ ...row, threadKey: "acme:_:s1" }),
      JSON.stringify({ ...row, threadKey: "acme:_:s1", document: { ...row.document, text: "[]" } }),
    ];
    const file = rows("many.jsonl", lines.join("\n"));
    const { code, stdout } = await ask("adopt", file, "--json");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ rows: 5, adopted: 1, there_already: 1, quarantined: 1, exitCode: code });
    expect(report.unreadable).toEqual({ rows: 1, examples: [`${file}:2`] });
    expect(Object.keys(report.refused).map((reason) => [reason, report.refused[reason].examples])).toEqual([
      ["SESSION_IDENTITY NOT_DERIVABLE", [`${file}:4`]],
      ["HEAD_CONFLICT", [`${file}:6`]],
    ]);
    expect(code).toBe(64);
  });

  it("records an owner, who can be corrected and not overwritten", async () => {
    const record = ["attribute", "corp:_:2024:05", "--reason", "ledger", "--actor", "op"];
    expect(await ask(...record, "--tenant", "corp", "--session", "2024:05")).toMatchObject({ code: 0 });
    expect(await ask("resume", "--tenant", "corp", "--session", "2024:05")).toMatchObject({ code: 17 });
    expect(await ask(...record, "--tenant", "umbrella")).toMatchObject({ code: 11 });
    const { code, stdout } = await ask(...record, "--tenant", "umbrella", "--supersedes", "corp", "--json");
    expect([code, JSON.parse(stdout).head.tenantId]).toEqual([0, "umbrella"]);
  });

  it("ends with the code of a refusal, and 69 where nobody answers", async () => {
    expect(await ask("replay", "nobody")).toMatchObject({ code: 13 });
    expect(await ask("transcript", "nobody")).toMatchObject({ code: 13 });
    const lonely = [
      "adopt",
      rows("lonely.json", JSON.stringify({ ...row, threadKey: "acme:_:s2" })),
      "--target",
      "127.0.0.1:1",
    ];
    expect(await fermata(lonely)).toMatchObject({ code: 69 });
    expect(await fermata(["adopt", join(sidecar.folder.path, "nothing")])).toMatchObject({ code: 64 });
  });
});
