import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, run, runOk } from "../interop/programs.ts";

describe("the bundle, in a folder of its own without node_modules", () => {
  const folder = mkdtempSync(join(tmpdir(), "fermata-bundle-"));
  const app = join(folder, "app");
  const fermata = (...args: readonly string[]) =>
    run(process.execPath, [join(app, "fermata.js"), ...args], { cwd: folder });
  beforeAll(() => runOk(process.execPath, [join(root, "tools/build.ts"), app]));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("knows its version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(JSON.parse((await fermata("version", "--json")).stdout)).toMatchObject({ fermata: version });
  });

  it("prints its commands", async () => {
    const { code, stdout } = await fermata("--help");
    expect({ code, listed: stdout.includes("resolve") && stdout.includes("serve") }).toEqual({ code: 0, listed: true });
  });

  it("resolves a palette in its own process", async () => {
    writeFileSync(join(folder, "tools.json"), '["search", "poem"]');
    const { code, stdout } = await fermata("resolve", "--tools", "tools.json", "--force", "poem", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ palette: { forcedTool: "poem" } });
  });

  it("serves, and its workers make a store with its migrations", async () => {
    const socket = `unix:${join(folder, "f.sock")}`;
    const where = ["--listen", socket, "--admin-listen", "none", "--data-dir", join(folder, "data")];
    const serving = spawn(process.execPath, [join(app, "fermata.js"), "serve", ...where], { stdio: "ignore" });
    const ended = new Promise((resolve) => serving.once("close", resolve));
    const service = ["--service", "fermata.conversation.v1.ConversationService"];
    const { code } = await fermata("wait", "--target", socket, ...service);
    serving.kill("SIGTERM");
    expect({ code, ended: await ended }).toEqual({ code: 0, ended: 0 });
    expect(existsSync(join(folder, "data/fermata.sqlite"))).toBe(true);
  });

  it("holds every worker and every migration where the code looks for them", () => {
    const sources = globSync("src/**/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
    const workers = sources.flatMap((text) =>
      [...text.matchAll(/workerUrl\("([\w-]+)"/g)].map(([, name]) => `${name}.js`),
    );
    const migrations = globSync("src/store/*/migrations/*.sql", { cwd: root }).map((file) =>
      file.replace(/.*(?=migrations\/)/, ""),
    );
    const wanted = [...workers, ...migrations];
    expect(wanted.length).toBeGreaterThan(0);
    expect(globSync("**/*", { cwd: app })).toEqual(expect.arrayContaining(wanted));
  });

  it("names the licence of every package in it", () => {
    const text = readFileSync(join(app, "THIRD-PARTY.txt"), "utf8");
    expect(text).toMatch(/^@grpc\/grpc-js [\d.]+ \(Apache-2\.0\)$/m);
    expect(text).toMatch(/^pino [\d.]+ \(MIT\)$/m);
    expect(text).not.toMatch(/\((undefined|UNLICENSED|A?GPL.*)\)$/m);
  });
});
