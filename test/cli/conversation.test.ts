import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import {
  ConversationService,
  IssueRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { SidecarProcess } from "../life/sidecar-process.ts";
import { call, openDesk } from "../rpc/conversation/desk.ts";
import { turn } from "../store/writes.ts";
import { fermata } from "./fermata.ts";

const root = mkdtempSync(join(tmpdir(), "fermata-cli-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, content: string): string => {
  writeFileSync(join(root, name), content);
  return join(root, name);
};

const dangling = JSON.stringify([
  ...JSON.parse(turn("hi")),
  { role: "user", content: "look it up" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
  },
]);

const issueOf = (sessionId: string, text: string) =>
  create(IssueRequestSchema, {
    key: { case: "identity", value: { tenantId: "acme", sessionId } },
    document: { format: "openai-chat/1", content: { case: "text", value: text } },
  });

describe("fermata judge", () => {
  it("recognises the format, draws the thread and says that it may be picked up", async () => {
    const { code, stdout } = await fermata(["judge", write("safe.json", turn("hi"))]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/as openai-chat\/1.*, judged in this process/);
    expect(stdout).toMatch(/0 {2}U A\|\n/);
    expect(stdout).toMatch(/may be picked up.*turn complete after 2 entries \(openai-chat\/turn-complete\/1\)/);
  });

  it("marks the first offender, says what to do and ends with 8 plus the gRPC code", async () => {
    const { code, stdout, stderr } = await fermata(["judge", write("dangling.json", dangling)]);
    expect(code).toBe(17);
    expect(stdout).toMatch(/0 {2}U A\|U C \n {14}\^ 3\n/);
    expect(stderr).toContain("DANGLING_TOOL_CALL");
    expect(stderr).toMatch(/to do {4}\S/);
    expect(stderr).toContain("lastSafePosition: 2");
  });

  it("takes stdin and a named format, and prints the message as JSON", async () => {
    const { code, stdout } = await fermata(["judge", "-", "--format", "openai-chat/1", "--json"], {
      stdin: turn("hi"),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ format: "openai-chat/1", boundary: { entries: 2 } });
    const refused = await fermata(["judge", "-", "--format", "openai-chat/1", "--json"], { stdin: dangling });
    expect(refused.code).toBe(17);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      refusal: { unsafeBoundary: { cause: "CAUSE_DANGLING_TOOL_CALL" } },
    });
  });

  it("asks which format it is where none or several fit", async () => {
    const { code, stderr } = await fermata(["judge", "-"], { stdin: '{"steps":[]}' });
    expect(code).toBe(64);
    expect(stderr).toContain("--format");
  });

  it("marks an offender far into a long thread", async () => {
    const long = Array.from({ length: 200 }, (_, at) => JSON.parse(turn(`question ${at}`))).flat();
    const { stdout } = await fermata(["judge", write("long.json", JSON.stringify([...long, ...JSON.parse(dangling)]))]);
    expect(stdout).toMatch(/\(\d+ entries before\)/);
    expect(stdout).toMatch(/\^ 403\n/);
  });
});

describe("the commands that ask a sidecar", () => {
  let sidecar: SidecarProcess;
  let target: readonly string[];
  beforeAll(async () => {
    sidecar = await SidecarProcess.serving();
    target = ["--target", await sidecar.address()];
    const client = connect(target[1] ?? "", 10_000);
    for (const session of ["s1", "s2"]) {
      expect(await client.unary(ConversationService.method.issue, issueOf(session, turn(session)))).toMatchObject({
        kind: "ok",
      });
    }
    client.close();
  });
  afterAll(() => sidecar.kill());

  it("threads lists a tenant's threads, and says when there are none", async () => {
    const { code, stdout } = await fermata(["threads", "--tenant", "acme", ...target]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^acme:_:s1 {2}acme, 1 checkpoint, openai-chat\/1.*\nacme:_:s2 /);
    expect((await fermata(["threads", "--tenant", "nobody", ...target])).stdout).toBe("no threads\n");
    const json = await fermata(["threads", "--format", "openai-chat/1", "--json", ...target]);
    expect(JSON.parse(json.stdout)).toHaveLength(2);
    expect((await fermata(["threads", ...target])).code).toBe(64);
  });

  it("show prints the facts and no content", async () => {
    const { code, stdout } = await fermata(["show", "acme:_:s1", ...target]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/tenant +acme\nposition +1\nformat +openai-chat\/1\nstate +active, issued/);
    expect(stdout).not.toContain("done");
    expect((await fermata(["show", ...target])).code).toBe(64);
  });

  it("resume writes the document byte for byte and the facts to stderr", async () => {
    const { code, stdout, stderr } = await fermata(["resume", "--tenant", "acme", "--session", "s2", ...target]);
    expect([code, stdout]).toEqual([0, turn("s2")]);
    expect(stderr).toMatch(/may be picked up: turn complete/);
    const out = join(root, "out.json");
    await fermata(["resume", "acme:_:s2", "--out", out, ...target]);
    expect(readFileSync(out, "utf8")).toBe(turn("s2"));
    const none = await fermata(["resume", "acme:_:none", ...target]);
    expect([none.code, none.stdout]).toEqual([13, ""]);
    expect(none.stderr).toContain("THREAD_NOT_FOUND");
  });

  it("formats shows the window of the sidecar, or of a config", async () => {
    const { stdout } = await fermata(["formats", "--json", ...target]);
    expect(JSON.parse(stdout)).toMatchObject({ storeId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const config = write(
      "end.yaml",
      "supportRoute: https://support.example\nformats:\n  openai-chat/1: { supportedUntil: 2001-01-01T00:00:00Z }\n",
    );
    const here = await fermata(["formats", "--config", config]);
    expect(here.stdout).toMatch(/openai-chat\/1 {2}ended 2001-01-01T00:00:00.000Z/);
    expect(here.stdout).toContain("https://support.example");
  });
});

describe("the commands on the files of a store", () => {
  const folder = join(root, "data");
  const dataDir = ["--data-dir", folder];
  beforeAll(async () => {
    const desk = await openDesk({ folder });
    for (const session of ["s1", "s2"]) await desk.issue(issueOf(session, turn(session)), call);
    await desk.close();
  });

  it("backup, restore and verify-store go round, and the restored store is frozen", async () => {
    const file = join(root, "backup.sqlite");
    expect((await fermata(["backup", file, ...dataDir])).code).toBe(0);
    expect((await fermata(["backup", file, ...dataDir])).code).toBe(64);
    const restored = ["--data-dir", join(root, "restored")];
    const { code, stdout } = await fermata(["restore", file, ...restored]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 threads, 2 checkpoints, 0 of them pruned/);
    expect(stdout).toMatch(/frozen by restored-[0-9a-f-]{36}/);
    expect((await fermata(["restore", file, ...restored])).code).toBe(74);
    const verified = await fermata(["verify-store", "--json", ...restored]);
    expect(JSON.parse(verified.stdout)).toMatchObject({ checkpoints: 2, payloads: 2, damage: [] });
  });

  it("verify-store names what is damaged and ends with 74", async () => {
    const damaged = join(root, "damaged");
    const desk = await openDesk({ folder: damaged });
    await desk.issue(issueOf("s1", turn("s1")), call);
    await desk.close();
    const db = new DatabaseSync(join(damaged, "fermata.sqlite"));
    db.exec("UPDATE chunk SET bytes = x'00'");
    db.close();
    const { code, stdout } = await fermata(["verify-store", "--data-dir", damaged]);
    expect(code).toBe(74);
    expect(stdout).toMatch(/damaged {2}[0-9a-f-]{36}: its payload fails its digest/);
    expect((await fermata(["export", "acme:_:s1", "--data-dir", damaged])).code).toBe(74);
  });

  it("export writes a checkpoint that judge opens and verifies", async () => {
    const { code, stdout } = await fermata(["export", "acme:_:s1", ...dataDir]);
    expect(code).toBe(0);
    const sealed = write("sealed.json", stdout);
    const judged = await fermata(["judge", sealed, "--format", "openai-chat/1"]);
    expect(judged.stdout).toMatch(/may be picked up.*turn complete after 2 entries/);
    const envelope = JSON.parse(stdout);
    envelope.fermata.identity.tenant_id = "umbrella";
    const moved = await fermata(["judge", write("moved.json", JSON.stringify(envelope)), "--format", "openai-chat/1"]);
    expect([moved.code, moved.stderr]).toEqual([17, expect.stringContaining("CORRUPT")]);
    expect((await fermata(["export", "acme:_:none", ...dataDir])).code).toBe(74);
    copyFileSync(sealed, join(root, "kept.json"));
  });
});
