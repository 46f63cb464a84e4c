import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { drainText } from "../../src/cli/drain-strip.ts";
import { connect } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { DrainSchema } from "../../src/gen/fermata/conversation/v1/freeze_pb.ts";
import { turn } from "../store/writes.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { type Started, start } from "../trial/sidecar.ts";
import { fermata } from "./fermata.ts";

const folder = temporaryFolder();
const socket = `unix:${join(folder.path, "operator.sock")}`;
let sidecar: Started;
let data: string;

beforeAll(async () => {
  const config = join(folder.path, "fermata.yaml");
  const token = join(folder.path, "token");
  writeFileSync(token, "a-token-of-the-operators\n");
  writeFileSync(
    config,
    JSON.stringify({ operatorListen: socket, tokens: [{ name: "ops", file: token, operator: true }] }),
  );
  sidecar = await start({ folder: folder.path, flags: ["--config", config] });
  data = sidecar.address;
  for (const [sessionId, text] of [
    ["a", turn("a")],
    ["b", turn("b")],
    ["c", turn("c")],
    ["stuck", "no JSON"],
  ] as const) {
    const client = connect(data, 10_000);
    const key = { case: "identity" as const, value: { tenantId: "acme", sessionId } };
    const document = { format: "openai-chat/1", content: { case: "text" as const, value: text } };
    await client.unary(ConversationService.method.adopt, { key, document });
    client.close();
  }
});
afterAll(async () => {
  await sidecar.kill();
  folder.remove();
});

const operate = (...args: readonly string[]) => fermata([...args, "--target", socket]);
const why = ["--reason", "retired, OPS-17"];

it("refuses an operator's command to a host, by name, and takes it with a token", async () => {
  const refused = await fermata(["freezes", "--target", data]);
  expect(refused).toMatchObject({ code: 15, stderr: expect.stringContaining("CALLER_DENIED") });
  const token = ["--token-file", join(folder.path, "token")];
  expect(await fermata(["freezes", "--target", data, ...token])).toMatchObject({
    code: 0,
    stdout: "nothing is frozen\n",
  });
  expect(await fermata(["freezes", "--target", data, "--token-file", "/nowhere"])).toMatchObject({ code: 64 });
});

it("shows what a freeze would count before there is one", async () => {
  const { stdout } = await operate("drain", "--format", "openai-chat/1");
  expect(stdout).toMatch(/1 of 4 don't hold it up/);
  expect(stdout).toMatch(/remaining 3\n/);
  expect(stdout).toContain("CHECKPOINT_FORMAT 1");
  expect(stdout).toContain("a preview: nothing is frozen");
});

it("makes and prints the id of a hold, records the user of the machine, and wants a scope and a reason", async () => {
  expect(await operate("freeze", ...why)).toMatchObject({ code: 64, stderr: expect.stringContaining("--whole-store") });
  expect(await operate("freeze", "--whole-store")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("--reason"),
  });
  const { code, stdout, stderr } = await operate("freeze", "--tenant", "nobody", ...why);
  expect(code).toBe(0);
  const [, id = ""] = /^hold (freeze-\S+)/.exec(stderr) ?? [];
  expect(stdout).toContain(`fermata thaw ${id}`);
  const listed = await operate("freezes");
  expect(listed.stdout).toContain(`${id}  tenant nobody`);
  expect(listed.stdout).toContain(`by ${userInfo().username}: retired, OPS-17`);
  expect(await operate("thaw", id, ...why)).toMatchObject({
    code: 0,
    stdout: "thawed: hosts may issue in this scope\n",
  });
  expect(await operate("freeze", "--tenant", "nobody", "--id", id, ...why)).toMatchObject({ code: 64 });
  expect(await operate("thaw", "unknown", ...why)).toMatchObject({
    code: 13,
    stderr: expect.stringContaining("FREEZE_NOT_FOUND"),
  });
});

it.each([
  ["freeze", "--whole-store"],
  ["thaw", "x"],
  ["freezes"],
  ["drain", "x"],
  ["discard", "x", "--yes"],
  ["erase", "k", "--yes"],
])("reads the token before %s says or does anything", async (...args) => {
  writeFileSync(join(folder.path, "no-token"), "two words\n");
  for (const [file, said] of [
    [join(folder.path, "no-token"), "holds no token"],
    [folder.path, "EISDIR"],
    ["/nowhere", "ENOENT"],
  ] as const) {
    const { code, stdout, stderr } = await operate(...args, "--token-file", file);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^fermata: ${file} .*${said}.*\n$`));
  }
});

it("drains by discarding what nobody comes back to: a dry run first, then recorded; a watch ends at the fixed point", async () => {
  await operate("freeze", "--format", "openai-chat/1", "--id", "retire", ...why);
  const watching = operate("drain", "retire", "--watch");
  const dry = await operate("discard", "--remaining-of", "retire");
  expect(dry).toMatchObject({
    code: 64,
    stderr: expect.stringMatching(/nothing was done.*discard 3 checkpoints.*--yes/),
  });
  expect(dry.stdout).toMatch(/^checkpoint +stored +position +format +thread\n/);
  expect(dry.stdout).toMatch(/^[0-9a-f-]{36} .*Z +1 {2}openai-chat\/1 +acme:_:a$/m);
  expect((await operate("discard", "--remaining-of", "retire", "--older-than", "90d")).stdout).toContain(
    "nothing to discard",
  );
  const before = JSON.parse((await operate("drain", "retire", "--json")).stdout);
  expect(before).toMatchObject({ remaining: "3", terminalUnsafe: "1" });
  expect(await operate("discard", "--remaining-of", "retire", "--yes", ...why)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("3 checkpoints discarded"),
  });
  expect((await operate("threads", "--format", "openai-chat/1")).stdout.match(/ discarded$/gm)).toHaveLength(3);
  const { code, stdout } = await watching;
  expect(code).toBe(0);
  expect(stdout).toContain("at its fixed point: nothing is left to move");
  expect(stdout.match(/^\[/gm)?.length).toBeGreaterThanOrEqual(2);
});

it("erases after a count, and only when it is told to", async () => {
  const thread = ["--tenant", "acme", "--session", "a"];
  expect(await operate("erase", ...thread, ...why)).toMatchObject({
    code: 64,
    stderr: expect.stringMatching(/nothing was done.*erase 1 thread with 1 checkpoint.*--yes/),
  });
  expect(await operate("erase", ...thread, ...why, "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 thread with 1 checkpoint erased"),
  });
  expect(await operate("erase", ...thread, ...why, "--yes")).toMatchObject({
    code: 13,
    stderr: expect.stringContaining("THREAD_NOT_FOUND"),
  });
  expect((await operate("erase", "--all-of", "acme", ...why, "--yes")).stdout).toContain(
    "3 threads with 3 checkpoints erased",
  );
  expect(JSON.parse((await operate("drain", "retire", "--json")).stdout)).toMatchObject({
    atFreeze: "4",
    discarded: "4",
  });
});

it.each([
  { numbers: {}, bar: / {48}/ },
  { numbers: { atFreeze: 100n, drained: 99n, remaining: 1n }, bar: /█{47}·{1}/ },
  { numbers: { atFreeze: 4n, drained: 1n, discarded: 1n, expired: 1n, remaining: 1n }, bar: /█{12}▓{12}▒{12}·{12}/ },
  { numbers: { atFreeze: 1000n, terminalUnsafe: 1n, remaining: 999n }, bar: /░·{47}/ },
])("draws the classes as one bar of 48 cells: $bar", ({ numbers, bar }) => {
  const text = stripVTControlCharacters(drainText(create(DrainSchema, numbers)));
  expect(text.split("]")[0]?.slice(1)).toMatch(new RegExp(`^${bar.source}$`));
});
