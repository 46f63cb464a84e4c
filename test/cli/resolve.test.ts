import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fermata, inRoot, script } from "./fermata.ts";

const folder = mkdtempSync(join(tmpdir(), "fermata-resolve-"));
const registries = ["filesystem", "memory", "github", "playwright"];
const four = registries.flatMap((name) => ["--tools", inRoot(`test/cases/registries/${name}.json`)]);
const names = registries.flatMap((name) => {
  const { tools } = JSON.parse(readFileSync(inRoot(`test/cases/registries/${name}.json`), "utf8"));
  return tools.map((tool: { name: string }) => tool.name);
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const readOnly = file(
  "read-only.yaml",
  "- {name: read-only, protectsForced: false, deny: {globs: ['create_*', 'write_*', 'delete_*']}}\n",
);
const noBrowser = file(
  "no-browser.yaml",
  "palette: {stages: [{name: no-browser, protectsForced: false, when: {role: reader}, deny: {globs: ['browser_*']}}]}\n",
);

async function message(args: readonly string[]) {
  const { code, stdout } = await fermata(["resolve", ...args, "--json"]);
  return { code, message: JSON.parse(stdout) };
}

describe("four real registries in this process", () => {
  it("are 74 tools, all offered without a skill", async () => {
    expect(names).toHaveLength(74);
    const { stdout, code } = await fermata(["resolve", ...four]);
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toContain("in this process");
    expect(stdout).toContain("all 74 tools");
    expect(stdout).toContain("NO_PROCEDURAL_LAYER");
  });

  it("are narrowed to what skills name, what is always offered and the force, in the registry's order", async () => {
    const args = [
      ...four,
      "--skill",
      "search_nodes",
      "--skill",
      "read_file",
      "--skill",
      "nothing",
      "--always",
      "list_issues",
      "--force",
      "browser_click",
    ];
    const { code, message: answer } = await message(args);
    const offered = ["read_file", "search_nodes", "list_issues", "browser_click"];
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      palette: { explicit: { names: names.filter((name) => offered.includes(name)) }, forcedTool: "browser_click" },
      routed: { unresolved: { names: ["nothing"], total: 1 } },
    });
    expect(answer).not.toHaveProperty("explanation");
  });

  it("shows a person what was removed by what", async () => {
    const { stdout } = await fermata([
      "resolve",
      ...four,
      "--skill",
      "search_nodes",
      "--skill",
      "create_issue",
      "--stages",
      readOnly,
    ]);
    expect(stdout).toMatch(/offered +1 of 74 tools\n +search_nodes\n/);
    expect(stdout).toMatch(/removed +72 by routing/);
    expect(stdout).toMatch(/removed +1 by read-only .*create_issue/);
  });

  it("shows the trace only on --explain", async () => {
    const args = ["resolve", ...four, "--stages", readOnly];
    expect((await fermata(args)).stdout).not.toContain("tools left after each step");
    expect((await fermata([...args, "--explain"])).stdout).toMatch(
      /tools left after each step[\s\S]* 74 +registry[\s\S]*read-only/,
    );
  });

  it("refuses a force that a hard filter takes away, says what to do and ends with 8 + 9", async () => {
    const { code, stdout, stderr } = await fermata([
      "resolve",
      ...four,
      "--skill",
      "search_nodes",
      "--force",
      "create_issue",
      "--stages",
      readOnly,
    ]);
    expect(code).toBe(17);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    for (const said of [
      "FORCED_TOOL_UNAVAILABLE",
      "EXCLUDED_BY_PALETTE",
      "ALIGN_COMPOSITION",
      "read-only",
      "Do not call the model",
    ]) {
      expect(stderr).toContain(said);
    }
  });

  it("tells a script the refusal as JSON", async () => {
    expect(await message([...four, "--force", "no_such_tool"])).toMatchObject({
      code: 17,
      message: {
        code: 9,
        refusal: {
          forcedToolUnavailable: { cause: "CAUSE_NOT_REGISTERED", registered: { total: 74 } },
          remedy: "REMEDY_ALIGN_COMPOSITION",
        },
      },
    });
  });

  it("drops a force that was satisfied", async () => {
    const { message: answer } = await message([
      ...four,
      "--force",
      "create_issue",
      "--called",
      "create_issue",
      "--stages",
      readOnly,
    ]);
    expect(answer).toMatchObject({ forceSatisfied: true });
    expect(answer.palette).not.toHaveProperty("forcedTool");
  });

  it.each([
    { label: "role=reader", browser: 0 },
    { label: "role=driver", browser: 25 },
    { label: "team=a", browser: 0 },
  ])("applies the config's stages to $label", async ({ label, browser }) => {
    const { message: answer } = await message([...four, "--config", noBrowser, "--label", label]);
    const offered: readonly string[] = answer.palette.explicit?.names ?? names;
    expect(offered.filter((name) => name.startsWith("browser_"))).toHaveLength(browser);
  });
});

describe("what it cannot use", () => {
  it.each([
    {
      why: "a name in two files",
      args: ["--tools", file("a.txt", "x\ny\n"), "--tools", file("b.txt", "y\n")],
      said: "a.txt has",
    },
    { why: "a file of another kind", args: ["--tools", file("c.json", '{"hello": 1}')], said: '"hello"' },
    { why: "a label without a value", args: [...four, "--label", "role"], said: "name=value" },
    {
      why: "stages with a condition",
      args: [...four, "--stages", file("w.yaml", "[{name: a, when: {x: y}, limit: 1}]")],
      said: "when",
    },
    { why: "stages that are no list", args: [...four, "--stages", file("n.yaml", "name: a")], said: "no list" },
  ])("$why is told, with 64", async ({ args, said }) => {
    const { code, stderr } = await fermata(["resolve", ...args]);
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(said) });
  });

  it("steers no terminal with what a file says", async () => {
    const { stdout } = await fermata(["resolve", ...four, "--skill", "\u001b[31mred"]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("\\u{1b}[31mred");
  });
});

describe("a sidecar", () => {
  const target = `unix:${folder}/f.sock`;
  const serving = spawn(
    script,
    [
      "serve",
      "--listen",
      target,
      "--admin-listen",
      "none",
      "--log-level",
      "silent",
      "--data-dir",
      folder,
      "--config",
      noBrowser,
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => serving.on("exit", resolve));
  beforeAll(async () =>
    expect(await fermata(["wait", "--timeout", "30", "--target", target])).toMatchObject({ code: 0 }),
  );
  afterAll(async () => {
    serving.kill("SIGTERM");
    await ended;
  });

  it.each([
    {
      why: "a palette",
      args: ["--skill", "browser_click", "--skill", "search_nodes", "--label", "role=driver"],
      code: 0,
    },
    { why: "an operator's stage", args: ["--skill", "browser_click", "--skill", "search_nodes"], code: 0 },
    { why: "a trace", args: ["--force", "search_nodes", "--explain"], code: 0 },
    { why: "a refusal", args: ["--force", "browser_click"], code: 17 },
    {
      why: "a request that cannot be used",
      args: ["--always", "x".repeat(2_000), "--label", `${"k".repeat(2_000)}=v`],
      code: undefined,
    },
  ])("answers the same as this process: $why", async ({ args, code }) => {
    const there = await fermata(["resolve", ...four, ...args, "--target", target, "--json"]);
    const here = await fermata(["resolve", ...four, ...args, "--config", noBrowser, "--json"]);
    expect({ ...there, stderr: "" }).toEqual({ ...here, stderr: "" });
    expect(there.code).toBe(code ?? here.code);
    expect(there.stderr).toContain(`the sidecar at ${target}`);
  });

  it("is told apart from nobody", async () => {
    expect(await fermata(["resolve", ...four, "--target", `unix:${folder}/nobody`])).toMatchObject({ code: 69 });
  });

  it("is reached whatever proxy the shell names", async () => {
    const proxy = {
      http_proxy: "http://127.0.0.1:1",
      https_proxy: "http://127.0.0.1:1",
      grpc_proxy: "http://127.0.0.1:1",
    };
    expect(await fermata(["resolve", ...four, "--target", target], { env: proxy })).toMatchObject({ code: 0 });
  });
});
