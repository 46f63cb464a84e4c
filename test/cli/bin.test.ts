import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fermata, inRoot, script } from "./fermata.ts";

const folder = mkdtempSync(join(tmpdir(), "fermata-bin-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that tells what it was started with, in the place of the bundle. */
const teller =
  "console.log(JSON.stringify({ pid: process.pid, exec: process.execPath, args: process.argv.slice(2) }));";

/** The script as a package has it: JavaScript in dist and no src. */
function installed(at: string): string {
  mkdirSync(join(folder, at, "bin"), { recursive: true });
  mkdirSync(join(folder, at, "dist"));
  copyFileSync(script, join(folder, at, "bin/fermata"));
  writeFileSync(join(folder, at, "dist/fermata.js"), teller);
  return join(folder, at, "bin/fermata");
}

function oldNode(): string {
  const path = join(folder, "old-node");
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "node"), "#!/bin/sh\necho v20.19.0\n");
  chmodSync(join(path, "node"), 0o755);
  return `${path}:/usr/bin:/bin`;
}

describe("bin/fermata", () => {
  it("works from any folder, through a chain of symlinks, relative ones too", async () => {
    symlinkSync(script, join(folder, "first"));
    symlinkSync("first", join(folder, "second"));
    mkdirSync(join(folder, "deep"));
    symlinkSync("../second", join(folder, "deep/third"));
    const { code, stdout } = await fermata(["version"], { command: "./third", cwd: join(folder, "deep") });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Node 24") });
  });

  it("works from npm, whose own Node may be an old one", async () => {
    const { code, stdout } = await fermata(["run", "--silent", "start", "--", "--help"], {
      command: "npm",
      cwd: inRoot(""),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("fermata serve") });
  });

  it("finds the Node that npm put beside the package, before an old one in PATH", async () => {
    const bin = installed("app/node_modules/fermata");
    mkdirSync(join(folder, "app/node_modules/.bin"));
    symlinkSync(process.execPath, join(folder, "app/node_modules/.bin/node"));
    symlinkSync("../fermata/bin/fermata", join(folder, "app/node_modules/.bin/fermata"));
    for (const command of [bin, join(folder, "app/node_modules/.bin/fermata")]) {
      const { code, stdout } = await fermata(["a b", "*"], { command, env: { PATH: oldNode() } });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ args: ["a b", "*"] });
    }
  });

  it("says what it needs where every Node is old", async () => {
    const { code, stderr } = await fermata(["version"], { command: installed("alone"), env: { PATH: oldNode() } });
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining("Node 24") });
  });

  it("becomes Node itself, so that signals and kill -9 reach the real process", async () => {
    const child = spawn(installed("exec"), [], { env: { PATH: process.env["PATH"] } });
    const stdout = await child.stdout.setEncoding("utf8").toArray();
    expect(JSON.parse(stdout.join(""))).toMatchObject({ pid: child.pid });
  });

  it("generates what is missing in a checkout, once, even when two start at the same time", async () => {
    const checkout = join(folder, "checkout");
    for (const part of ["bin", "src", "proto", "tools", "buf.yaml", "buf.gen.yaml", "package.json"]) {
      cpSync(inRoot(part), join(checkout, part), {
        recursive: true,
        filter: (path) => !path.startsWith(inRoot("src/gen")),
      });
    }
    symlinkSync(inRoot("node_modules"), join(checkout, "node_modules"));
    const start = () =>
      fermata(["explain", "head_conflict"], { command: join(checkout, "bin/fermata"), env: { PATH: oldNode() } });
    for (const ended of await Promise.all([start(), start()])) {
      expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^fermata: generating .*\n$/) });
    }
    expect(await start()).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(checkout, "src/gen/gen"))).toBe(false);
    expect(readdirSync(checkout).filter((name) => name.startsWith(".generate"))).toEqual([]);
  });
});
