import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fermata, script } from "./fermata.ts";

const commands = [
  "serve",
  "check-config",
  "print-config",
  "wait",
  "healthcheck",
  "resolve",
  "judge",
  "formats",
  "threads",
  "show",
  "resume",
  "transcript",
  "replay",
  "export",
  "adopt",
  "freeze",
  "thaw",
  "freezes",
  "drain",
  "attribute",
  "discard",
  "erase",
  "backup",
  "restore",
  "verify-store",
  "explain",
  "version",
  "completion",
];
const folder = mkdtempSync(join(tmpdir(), "fermata-cli-"));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("help", () => {
  it.each(commands)("of %s has an example", async (command) => {
    const { code, stdout } = await fermata([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n.*fermata ${command}`));
  });

  it("names every command and every exit code", async () => {
    const { code, stdout } = await fermata(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toContain(`\n  ${command} `);
    for (const exit of [0, 64, 69, 70, 71, 74, 78]) expect(stdout).toContain(`\n  ${exit} `);
  });
});

describe("exit codes", () => {
  const bad = file("bad.yaml", "listn: []\nlimits: {connections: 0}\n");
  const good = file("good.yaml", "limits: {connections: 7}\n");

  it.each([
    { args: [], code: 64 },
    { args: ["sevre"], code: 64 },
    { args: ["serve", "--bogus"], code: 64 },
    { args: ["resolve"], code: 64 },
    { args: ["resolve", "--tools", join(folder, "none")], code: 64 },
    { args: ["resolve", "--tools", good], code: 64 },
    { args: ["wait", "--timeout", "soon"], code: 64 },
    { args: ["explain", "nothing_of_this_name"], code: 64 },
    { args: ["completion", "tcsh"], code: 64 },
    { args: ["healthcheck", "--admin-listen", "none"], code: 64 },
    { args: ["healthcheck", "--admin-listen", "127.0.0.1:1"], code: 69 },
    { args: ["healthcheck", "--target", `unix:${folder}/nobody`], code: 69 },
    { args: ["wait", "--timeout", "0.3", "--admin-listen", "127.0.0.1:1"], code: 69 },
    { args: ["check-config", "--config", bad], code: 78 },
    { args: ["check-config", "--config", join(folder, "none")], code: 78 },
    { args: ["serve", "--config", bad], code: 78 },
    { args: ["serve", "--listen", "0.0.0.0:0"], code: 78 },
    { args: ["serve", "--listen", "0.0.0.0:0", "--allow-remote"], code: 78 },
    { args: ["check-config", "--config", good], code: 0 },
    { args: ["version"], code: 0 },
    { args: ["--version"], code: 0 },
  ])("$code for $args", async ({ args, code }) => {
    const ended = await fermata(args);
    expect(ended).toMatchObject({ code, [code === 0 ? "stderr" : "stdout"]: "" });
    expect(ended[code === 0 ? "stdout" : "stderr"]).not.toContain("    at ");
  });

  it("tells every fault with path, value, expectation and place", async () => {
    const { stderr } = await fermata(["check-config", "--config", bad], { env: { FERMATA_STORE: "tape" } });
    expect(stderr).toContain("3 faults");
    expect(stderr).toContain(`listn  (${bad}:1)`);
    expect(stderr).toContain("did you mean listen?");
    expect(stderr).toContain(`limits.connections  (${bad}:2)`);
    expect(stderr).toContain("store  (FERMATA_STORE)");
  });
});

describe("print-config", () => {
  it("prints a config that is in effect as it is printed", async () => {
    const config = file(
      "some.yaml",
      "listen: ['unix:/tmp/a b.sock']\nformats: {a/1: {supportedUntil: 2027-06-01T00:00:00Z, supportRoute: 'a: b #c'}}\n",
    );
    const printed = await fermata(["print-config", "--config", config, "--drain-delay", "1s"], {
      env: { FERMATA_SEPARATOR: "#" },
    });
    expect(printed.stdout).toMatch(/^drainDelay: 1s +# --drain-delay$/m);
    expect(printed.stdout).toMatch(/^separator: "#" +# FERMATA_SEPARATOR$/m);
    expect(printed.stdout).toMatch(/maxDocumentBytes: 8MiB +# default$/m);
    const again = await fermata(["print-config", "--config", file("again.yaml", printed.stdout), "--json"]);
    expect(printed.stdout).toContain(JSON.parse(again.stdout).digest);
  });

  it("tells scripts the value and the source of each setting", async () => {
    const { stdout } = await fermata([
      "print-config",
      "--json",
      "--listen",
      "127.0.0.1:1",
      "--listen",
      "unix:/run/f.sock",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      config: { listen: ["127.0.0.1:1", "unix:/run/f.sock"], limits: { callsInFlight: 256 } },
      from: { listen: "--listen", "limits.callsInFlight": "default" },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe("check-config", () => {
  it("shows stages as HARD or SOFT and the days that formats have left", async () => {
    const day = 86_400_000;
    const at = (days: number) => new Date(Date.now() + days * day + day / 2).toISOString();
    const config = file(
      "ops.yaml",
      `
supportRoute: https://support.example/agents
palette: {stages: [{name: no-mail, protectsForced: false, when: {role: reader}, deny: {names: [mail]}}, {name: few, protectsForced: true, limit: 5}]}
formats: {a/1: {supportedUntil: ${at(30)}, replayUntil: ${at(60)}}, b/1: {supportedUntil: ${at(-11)}}, c/1: {boundaryProofs: [c/end/1]}}
`,
    );
    const { stdout } = await fermata(["check-config", "--config", config]);
    expect(stdout).toMatch(/1\. HARD +no-mail: .*mail, when role=reader/);
    expect(stdout).toMatch(/2\. SOFT +few: .*5/);
    expect(stdout).toMatch(/a\/1: .*30 days left.*60 days left/);
    expect(stdout).toMatch(/b\/1: .*10 days ago/);
    expect(stdout).toMatch(/c\/1: no end; proofs c\/end\/1/);
  });
});

describe("output", () => {
  it("has no colour in a pipe", async () => {
    const { stdout } = await fermata(["explain", "head_conflict"]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("RESUME_FROM_ACTUAL_HEAD");
  });

  it("is JSON for scripts", async () => {
    expect(JSON.parse((await fermata(["version", "--json"])).stdout)).toMatchObject({ fermata: expect.any(String) });
    expect(JSON.parse((await fermata(["explain", "head_conflict", "--json"])).stdout)).toMatchObject([{ code: 10 }]);
  });

  it.each([
    { args: ["check-config", "--json"], found: { sound: true, faults: [] }, code: 0 },
    {
      args: ["check-config", "--json", "--store", "tape"],
      found: { sound: false, faults: [{ path: "store" }] },
      code: 78,
    },
    { args: ["healthcheck", "--json", "--admin-listen", "127.0.0.1:1"], found: { ready: false }, code: 69 },
    {
      args: ["wait", "--json", "--timeout", "200ms", "--admin-listen", "127.0.0.1:1"],
      found: { ready: false },
      code: 69,
    },
  ])("is JSON whatever the end is: $args", async ({ args, found, code }) => {
    const ended = await fermata(args);
    expect(ended.code).toBe(code);
    expect(JSON.parse(ended.stdout)).toMatchObject(found);
  });

  it.each(["explain", "explain --json", "--help", "print-config", "completion bash", "version"])(
    "of %s onto a full disk is one line and 74",
    async (command) => {
      const ended = await fermata(["-c", `"${script}" ${command} > /dev/full`], { command: "/bin/sh" });
      expect(ended).toEqual({ code: 74, stdout: "", stderr: "fermata: the output cannot be written (ENOSPC)\n" });
    },
  );

  it("keeps its exit code where nobody can be told why", async () => {
    for (const away of ["/dev/full", "&-"]) {
      const ended = await fermata(["-c", `"${script}" sevre 2>${away}`], { command: "/bin/sh" });
      expect(ended).toEqual({ code: 64, stdout: "", stderr: "" });
    }
  });

  it("ends quietly when its reader has gone", async () => {
    const { code, stderr } = await fermata(["-c", `"${script}" explain --json | true; "${script}" explain | head -1`], {
      command: "/bin/sh",
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("completion", () => {
  it.each([
    { shell: "bash", checker: ["bash", "-n"] },
    { shell: "zsh", checker: ["zsh", "-n"] },
    { shell: "fish", checker: ["fish", "--no-execute"] },
  ])("for $shell is a valid script", async ({ shell, checker: [command = "", ...args] }) => {
    const { code, stdout } = await fermata(["completion", shell]);
    expect(code).toBe(0);
    for (const name of commands) expect(stdout).toContain(name);
    const checked = await fermata([...args, file(`completion.${shell}`, stdout)], { command }).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    // zsh and fish are not on every machine; bash is.
    if (checked !== "ENOENT" || shell === "bash") expect(checked).toMatchObject({ code: 0, stderr: "" });
  });

  it("completes commands, flags and reasons in bash", async () => {
    const { stdout } = await fermata(["completion", "bash"]);
    const source = file(
      "complete.sh",
      `${stdout}
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fermata; echo "\${COMPREPLY[*]}"; }
ask fermata check
ask fermata serve --drain
ask fermata explain HEAD
`,
    );
    const asked = await fermata([source], { command: "bash" });
    expect(asked.stdout.split("\n")).toEqual(["check-config", "--drain-delay --drain-timeout", "HEAD_CONFLICT", ""]);
  });
});

describe("a running sidecar", () => {
  it("is waited for, probed and stopped by the signal that its parent sends", async () => {
    const socket = `unix:${folder}/data.sock`;
    const admin = `unix:${folder}/admin.sock`;
    const child = spawn(
      script,
      ["serve", "--listen", socket, "--admin-listen", admin, "--log-level", "silent", "--data-dir", folder],
      { stdio: "ignore" },
    );
    const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
    const probes = [
      ["wait", "--timeout", "20", "--admin-listen", admin],
      ["healthcheck", "--admin-listen", admin],
      ["healthcheck", "--target", socket],
      ["healthcheck", "--target", socket, "--service", "fermata.palette.v1.PaletteService"],
    ];
    for (const args of probes) expect(await fermata(args)).toMatchObject({ code: 0, stderr: "" });
    expect(await fermata(["healthcheck", "--target", socket, "--service", "no.such.Service"])).toMatchObject({
      code: 69,
    });
    expect(await fermata(["serve", "--listen", socket, "--admin-listen", "none", "--data-dir", folder])).toMatchObject({
      code: 71,
    });
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});
