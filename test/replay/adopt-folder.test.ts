import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type SidecarClient } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { fermata, script } from "../cli/fermata.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { type Loud, startLoud } from "./loud-sidecar.ts";

/** How many threads a folder has: 500 here, 10,000 by `FERMATA_ADOPT_ROWS=10000 vitest run test/replay/adopt-folder.test.ts`. */
const rows = Number(process.env["FERMATA_ADOPT_ROWS"] ?? 500);

/** Nobody but the key of a quarantined row may say this. */
const canary = "kanarienvogel";

const kinds = ["whole", "whole", "quarantined", "percent", "short"] as const;
const keyOf = (at: number): string => {
  switch (kinds[at % kinds.length] ?? "whole") {
    case "whole":
      return `acme:_:session-${at}`;
    case "quarantined":
      return `${canary}:_:2024:05:${at}`;
    case "percent":
      return `${canary}:_:100%-${at}`;
    case "short":
      return `opaque-${at}`;
  }
};
const counts = { whole: (rows / 5) * 2, quarantined: (rows / 5) * 2, short: rows / 5 };

describe(`a folder of ${rows} legacy threads`, { timeout: 300_000 }, () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "rows");
  let sidecar: Loud;
  let client: SidecarClient;

  beforeAll(async () => {
    for (let at = 0; at < rows; at += 1) {
      const part = join(path, String(at % 10));
      if (at < 10) mkdirSync(part, { recursive: true });
      const text = JSON.stringify([
        { role: "user", content: `question ${at}` },
        { role: "assistant", content: `answer ${at}` },
      ]);
      const request = {
        threadKey: keyOf(at),
        derivation: "symfonic/9",
        writtenTime: "2026-01-01T00:00:00Z",
        document: { format: "openai-chat/1", text },
      };
      writeFileSync(join(part, `row-${at}.json`), JSON.stringify(request));
    }
    sidecar = await startLoud(folder.path);
    client = connect(sidecar.address, 15_000);
  }, 120_000);
  afterAll(async () => {
    client.close();
    await sidecar.stop();
    folder.remove();
  });

  const stored = (): number => {
    const db = new DatabaseSync(join(folder.path, "data", "fermata.sqlite"), { readOnly: true, timeout: 5_000 });
    const found = db
      .prepare("SELECT count(*) AS threads, (SELECT count(*) FROM checkpoint) AS checkpoints FROM thread")
      .get();
    db.close();
    expect(found?.["checkpoints"]).toBe(found?.["threads"]);
    return Number(found?.["threads"]);
  };

  it("is adopted in part when the command is killed, and in whole by the second run, nothing twice", async () => {
    const killed = spawn(script, ["adopt", path, "--target", sidecar.address], { stdio: "ignore" });
    const ended = once(killed, "exit");
    while (stored() < counts.whole / 4 && killed.exitCode === null) await setTimeout(1);
    killed.kill("SIGKILL");
    await ended;
    const before = stored();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(counts.whole + counts.quarantined);
    const { code, stdout, stderr } = await fermata(["adopt", path, "--target", sidecar.address, "--json"]);
    const report = JSON.parse(stdout);
    expect([code, stderr, stored()]).toEqual([8 + 3, "", counts.whole + counts.quarantined]);
    expect(report).toMatchObject({
      rows,
      quarantined: counts.quarantined,
      refused: { "SESSION_IDENTITY NOT_DERIVABLE": { rows: counts.short } },
      unreadable: { rows: 0 },
    });
    expect(report.adopted + report.there_already).toBe(counts.whole + counts.quarantined);
    expect(report.there_already).toBe(before);
  });

  it("is there already in a third run, which says so to a person", async () => {
    const { code, stdout, stderr } = await fermata(["adopt", path, "--target", sidecar.address]);
    expect([code, stderr, stored()]).toEqual([8 + 3, "", counts.whole + counts.quarantined]);
    expect(stdout.match(/\d+/g)?.slice(0, 4).map(Number)).toEqual([
      rows,
      0,
      counts.whole + counts.quarantined,
      counts.quarantined,
    ]);
    expect(stdout).not.toContain(canary);
  });

  it("names no tenant of a quarantined row: in no answer but as its key, in no log line, in no metric", async () => {
    const said: string[] = [];
    for (let at = 0; at < Math.min(rows, 100); at += 1) {
      const key = keyOf(at);
      if (!key.startsWith(canary)) continue;
      said.push(...(await readsOf(key)).map((answer) => answer.replaceAll(JSON.stringify(key).slice(1, -1), "")));
    }
    const listed = await client.unary(ConversationService.method.listCheckpoints, {
      of: { case: "tenantId", value: canary },
    });
    expect(listed.kind === "ok" && listed.value.checkpoints).toEqual([]);
    expect(said.length).toBeGreaterThan(100);
    expect(said.filter((answer) => answer.includes(canary))).toEqual([]);
    for (const page of ["metrics", "readyz", "livez"]) {
      expect(await (await fetch(`http://${sidecar.admin}/${page}`)).text()).not.toContain(canary);
    }
    expect(sidecar.said()).toContain("Adopt");
    expect(sidecar.said()).not.toContain(canary);
  });

  /** The JSON form of what every read says of a key, by itself and with a claim, right or wrong. */
  async function readsOf(key: string): Promise<readonly string[]> {
    const { resume, getCheckpoint, getTranscript, listCheckpoints, replay } = ConversationService.method;
    const by = { case: "threadKey" as const, value: key };
    const found: string[] = [];
    for (const thread of [{ by }, { by, claimedTenantId: "acme" }]) {
      found.push(said(await client.unary(resume, { thread }), resume.output));
      found.push(said(await client.unary(getCheckpoint, { thread }), getCheckpoint.output));
      found.push(said(await client.unary(getTranscript, { thread }), getTranscript.output));
      found.push(
        said(await client.unary(listCheckpoints, { of: { case: "thread", value: thread } }), listCheckpoints.output),
      );
      for await (const message of client.serverStream(replay, { thread })) found.push(said(message, replay.output));
    }
    return found;
  }
});

type Said =
  | { readonly kind: "ok"; readonly value: object }
  | { readonly kind: "ended"; readonly text: string; readonly refusal: unknown };

function said(answer: Said, schema: Parameters<typeof toJson>[0]): string {
  const plain: JsonValue = answer.kind === "ok" ? toJson(schema, answer.value as never) : { text: answer.text };
  const refusal =
    answer.kind === "ended"
      ? JSON.stringify(answer.refusal, (_, part) => (typeof part === "bigint" ? String(part) : part))
      : "";
  return JSON.stringify(plain) + refusal;
}
