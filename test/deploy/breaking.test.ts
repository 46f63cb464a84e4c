import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root, run, runOk } from "../interop/programs.ts";

const good = 'syntax = "proto3";\npackage a.v1;\nmessage A { string b = 1; }\n';
const broken = good.replace("string b", "bytes b");
const longer = good.replace("}", " string c = 2; }");

/** Commits on main what a row says, leaves its proto in the work tree, and tells what the check makes of that. */
describe("the check for breaking changes", () => {
  const work = mkdtempSync(join(tmpdir(), "fermata-breaking-"));
  afterAll(() => rmSync(work, { recursive: true }));

  it.each([
    { what: "the same", main: good, tree: good, code: 0, says: /nothing breaks a caller of main/ },
    { what: "an addition", main: good, tree: longer, code: 0, says: /nothing breaks a caller of main/ },
    { what: "a finding", main: good, tree: broken, code: 1, says: /written against main would break/ },
    {
      what: "a tree that buf cannot read",
      main: good,
      tree: "syntax =",
      code: 1,
      says: /would break|could not compare/,
    },
    { what: "a first commit without protos", main: undefined, tree: good, code: 0, says: /main has no protos yet/ },
  ])("answers $code for $what", async ({ main, tree, code, says }) => {
    const folder = await repository("main", main);
    writeProto(folder, tree);
    expect(await check(folder)).toMatchObject({ code, text: expect.stringMatching(says) });
  });

  it("passes by name where the clone has no branch main", async () => {
    const folder = await repository("other", good);
    expect(await check(folder)).toMatchObject({ code: 0, text: expect.stringMatching(/has no branch main/) });
  });

  it("tells a comparison that failed from a finding", async () => {
    const folder = await repository("main", good);
    writeFileSync(join(folder, "buf.yaml"), "nonsense");
    expect(await check(folder)).toMatchObject({ code: 1, text: expect.stringMatching(/could not compare with main/) });
  });

  async function repository(branch: string, proto: string | undefined): Promise<string> {
    const folder = mkdtempSync(join(work, "repository-"));
    cpSync(join(root, "tools/breaking.ts"), join(folder, "tools/breaking.ts"), { recursive: true });
    cpSync(join(root, "buf.yaml"), join(folder, "buf.yaml"));
    if (proto !== undefined) writeProto(folder, proto);
    await git(folder, "init", "--quiet", "--initial-branch", branch);
    await git(folder, "add", "--all");
    await git(folder, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "a");
    return folder;
  }
});

function writeProto(folder: string, text: string): void {
  mkdirSync(join(folder, "proto/a/v1"), { recursive: true });
  writeFileSync(join(folder, "proto/a/v1/a.proto"), text);
}

function git(folder: string, ...args: readonly string[]): Promise<string> {
  return runOk("git", args, { cwd: folder });
}

async function check(folder: string): Promise<{ readonly code: number; readonly text: string }> {
  const { code, stdout, stderr } = await run(process.execPath, ["tools/breaking.ts"], { cwd: folder });
  return { code, text: stdout + stderr };
}
