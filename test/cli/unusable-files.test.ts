import { spawn } from "node:child_process";
import { closeSync, cpSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { acknowledged } from "../store/writes.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { fermata, script } from "./fermata.ts";

const { path: folder, remove } = temporaryFolder();
afterAll(remove);

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const text = file("text", "hello\n");
const empty = file("empty", "");
mkdirSync(join(folder, "a-folder"));
mkdirSync(join(folder, "rows/deep"), { recursive: true });
const aFolder = join(folder, "a-folder");
const addresses = ["--listen", `unix:${folder}/data.sock`, "--admin-listen", "none"];

describe("restore", () => {
  it.each([
    { name: "a folder", backup: aFolder, said: "is a folder" },
    { name: "nothing", backup: join(folder, "none"), said: "ENOENT" },
    { name: "a file below a file", backup: join(text, "x"), said: "ENOTDIR" },
    { name: "an empty file", backup: empty, said: "is empty" },
    { name: "a text", backup: text, said: 'begins with "hello' },
    { name: "a device", backup: "/dev/null", said: "is empty" },
  ])("names $name, says what was found and the way out, and makes nothing", async ({ backup, said }) => {
    const data = join(folder, "never");
    const { code, stdout, stderr } = await fermata(["restore", backup, "--data-dir", data]);
    expect({ code, stdout, made: existsSync(data) }).toEqual({ code: 64, stdout: "", made: false });
    expect(stderr).toMatch(/^fermata: .*: name the file that fermata backup wrote\n$/);
    expect(stderr).toContain(backup);
    expect(stderr).toContain(said);
  });

  it("tells a backup that is damaged, or a database of somebody else, as a store's fault", async () => {
    new DatabaseSync(join(folder, "other.sqlite")).exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    const cut = file("cut.sqlite", "SQLite format 3\0 and no more");
    for (const backup of [join(folder, "other.sqlite"), cut]) {
      const { code, stderr } = await fermata(["restore", backup, "--data-dir", join(folder, "made")]);
      expect(code).toBe(74);
      expect(stderr).toMatch(/^fermata: .*\n$/);
      expect(stderr).toContain(backup);
    }
  });

  it("is JSON for scripts, as the backup before it and the check after it are", async () => {
    const data = join(folder, "kept");
    const { store } = await openSqlite({
      folder: data,
      separator: ":",
      diskReserveBytes: 0,
      allowNetworkFileSystem: false,
      clock: Date.now,
    });
    await acknowledged(store);
    await store.close();
    const backup = join(folder, "backup.sqlite");
    const json = async (...args: readonly string[]) => JSON.parse((await fermata([...args, "--json"])).stdout);
    expect(await json("backup", backup, "--data-dir", data)).toEqual({ dataDir: data, file: backup });
    expect(await fermata(["backup", backup, "--data-dir", data])).toMatchObject({ code: 64 });
    const restored = await json("restore", backup, "--data-dir", join(folder, "again"));
    expect(restored).toMatchObject({ freezeId: expect.stringContaining("restored-"), verification: { threads: 1 } });
    expect(await json("verify-store", "--data-dir", join(folder, "again"))).toEqual(restored.verification);
    cpSync(backup, join(folder, "copy.sqlite"));
    const there = await fermata(["restore", join(folder, "copy.sqlite"), "--data-dir", join(folder, "again")]);
    expect(there).toMatchObject({ code: 74, stderr: expect.stringContaining("holds a store already") });
  });
});

describe("a test clock", () => {
  it.each([
    { name: "that is not there", clock: join(folder, "no-clock"), said: "ENOENT" },
    { name: "that is a folder", clock: aFolder, said: "EISDIR" },
    { name: "that is empty", clock: empty, said: "holds nothing" },
    { name: "with a text", clock: text, said: 'holds "hello"' },
    { name: "with half a date", clock: file("half", "2027"), said: 'holds "2027"' },
  ])("$name is the config's fault", async ({ clock, said }) => {
    const { code, stderr } = await fermata([
      "serve",
      ...addresses,
      "--data-dir",
      join(folder, "d"),
      "--test-clock",
      clock,
    ]);
    expect(code).toBe(78);
    expect(stderr).toMatch(/^fermata: --test-clock: .*RFC 3339.*\n$/);
    expect(stderr).toContain(said);
    expect(stderr).toContain(clock);
  });
});

describe("a data folder that cannot be made", () => {
  it.each([
    { name: "below a file", data: join(text, "x/y") },
    { name: "with the name of a file", data: text },
    { name: "on a file system that takes none", data: "/proc/nope" },
    { name: "deep on such a file system", data: "/proc/nope/x/y" },
    { name: "below a device", data: "/dev/null/x" },
    { name: "with too long a name", data: join(folder, "n".repeat(300)) },
  ])("$name ends the start at once, with one line and 74", async ({ data }) => {
    const { code, stderr } = await fermata(["serve", ...addresses, "--data-dir", data]);
    expect(code).toBe(74);
    expect(stderr).toMatch(/^fermata: .*--data-dir.*\n$/);
    expect(stderr).toContain(`${data} cannot be made`);
  });
});

it("says at the start why a data folder that is there cannot be written, and goes on without the store", async () => {
  const target = `unix:${folder}/read-only.sock`;
  const flags = ["--listen", target, "--admin-listen", "none", "--data-dir", "/proc"]; // Nobody writes there, root neither.
  const child = spawn(script, ["serve", ...flags], { stdio: ["ignore", "pipe", "ignore"] });
  const lines = child.stdout.setEncoding("utf8").toArray();
  const ended = new Promise((resolve) => child.on("exit", resolve));
  try {
    expect(await fermata(["wait", "--timeout", "30s", "--target", target])).toMatchObject({ code: 0 });
    const service = ["--service", "fermata.conversation.v1.ConversationService"];
    expect(await fermata(["healthcheck", "--target", target, ...service])).toMatchObject({
      code: 69,
      stderr: expect.stringContaining("NOT_SERVING"),
    });
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  expect((await lines).join("")).toMatch(
    /"why":"the data folder \/proc cannot be written: [^"]+","msg":"the store cannot be opened yet"/,
  );
});

it("serves on, and ends in order, while its log goes to a full disk", async () => {
  const target = `unix:${folder}/full.sock`;
  const flags = ["--listen", target, "--admin-listen", "none", "--data-dir", join(folder, "full")];
  const full = openSync("/dev/full", "w");
  const child = spawn(script, ["serve", ...flags], { stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  const errors = child.stderr?.setEncoding("utf8").toArray();
  const ended = new Promise((resolve) => child.on("exit", resolve));
  expect(await fermata(["wait", "--timeout", "30s", "--target", target])).toMatchObject({ code: 0 });
  for (const _ of "abc")
    expect(await fermata(["threads", "--tenant", "a", "--target", target])).toMatchObject({ code: 0 });
  child.kill("SIGTERM");
  expect({ code: await ended, errors: await errors }).toEqual({ code: 0, errors: [] });
});

describe("other files", () => {
  it("that cannot be read or written are told by name", async () => {
    expect(await fermata(["judge", aFolder])).toMatchObject({ code: 64, stderr: expect.stringContaining(aFolder) });
    expect(await fermata(["resolve", "--tools", aFolder])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(aFolder),
    });
    const missing = await fermata(["backup", join(folder, "b"), "--data-dir", aFolder]);
    expect(missing).toMatchObject({ code: 74, stderr: expect.stringContaining(`${aFolder}: there is no store`) });
  });
});
