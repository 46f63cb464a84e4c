import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makePython } from "../../tools/generate-python.ts";
import { goldenRefusals } from "../golden/golden-status.ts";
import { describeWith, root, run, runOk } from "../interop/programs.ts";
import { startGoldenServer, type TestServer } from "../transport/servers.ts";
import { TestSidecar } from "../transport/sidecars.ts";

const client = join(root, "clients/python");
const requirements = join(client, "requirements-test.txt");
const venv = join(root, ".venv/python-client");
const python = join(venv, "bin/python");
const fermata = join(root, "bin/fermata");
const minutes = 60_000;

/**
 * Beside the newest protobuf, which the venv has: the oldest that the client declares, and one between. Each with googleapis-common-protos of
 * its time, whose generated code refuses an older runtime.
 */
const protobufs = [
  { protobuf: "5.29.6", protos: "1.75.0" },
  { protobuf: "6.33.5", protos: "1.76.0" },
];

describeWith("python3", ["-m", "venv", "--help"], () => {
  let golden: TestServer;

  beforeAll(async () => {
    golden = await startGoldenServer(goldenRefusals());
    await makeVenv();
  }, 5 * minutes);
  afterAll(() => golden.stop());

  it("has every leaf of the taxonomy and every message, as the protos say them now", () => {
    const folder = mkdtempSync(join(tmpdir(), "fermata-fresh-"));
    makePython(folder);
    const committed = join(client, "src/fermata/_gen");
    const made = globSync("**/*.{py,pyi,json}", { cwd: folder }).toSorted();
    expect(made.length).toBeGreaterThan(20);
    expect(globSync("**/*.{py,pyi,json}", { cwd: committed }).toSorted()).toEqual(made);
    for (const file of made)
      expect(readFileSync(join(committed, file), "utf8"), file).toBe(readFileSync(join(folder, file), "utf8"));
    rmSync(folder, { recursive: true, force: true });
  }, 300_000);

  it(
    "passes its tests against the sidecar of this checkout",
    async () => {
      const ended = await pytest(["tests"], { FERMATA_GOLDEN: golden.address });
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    },
    10 * minutes,
  );

  it(
    "is clean to mypy's strict mode, for this Python and for the oldest",
    async () => {
      await runOk(python, ["-m", "mypy"], { cwd: client });
      await runOk(python, ["-m", "mypy", "--python-version", "3.10"], { cwd: client });
    },
    3 * minutes,
  );

  it.each(protobufs)(
    "reads every status with protobuf $protobuf, too",
    async ({ protobuf, protos }) => {
      const folder = await overlay(`protobuf-${protobuf}`, [
        `protobuf==${protobuf}`,
        `googleapis-common-protos==${protos}`,
      ]);
      const env = { FERMATA_GOLDEN: golden.address, PYTHONPATH: [folder, join(client, "src")].join(":") };
      const said = "import google.protobuf, fermata.client; print(google.protobuf.__version__)";
      expect((await runOk(python, ["-c", said], { env })).trim()).toBe(protobuf);
      const ended = await pytest(["tests/test_golden.py", "tests/test_errors.py", "tests/test_decoding.py"], env);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    },
    3 * minutes,
  );

  it("serves the oldest supported LangChain, too", async () => {
    const folder = await overlay("langchain-1.0.0", [
      "langchain==1.0.0",
      "langgraph==1.0.10",
      "langgraph-prebuilt==1.0.13",
    ]);
    const env = { PYTHONPATH: [folder, join(client, "src")].join(":") };
    const said = "import importlib.metadata as m; print(m.version('langchain'), m.version('langgraph'))";
    expect((await runOk(python, ["-c", said], { env })).trim()).toBe("1.0.0 1.0.10");
    const ended = await pytest(["tests/test_langchain.py", "tests/test_langchain_conversation.py"], env);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  }, 300_000);

  it(
    "installs into an empty venv by pip, without a module of google's, and runs the README",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "fermata-python-"));
      const sidecar = await new TestSidecar({}).start();
      try {
        await runOk("python3", ["-m", "venv", folder]);
        const own = join(folder, "bin/python");
        await runOk(own, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", client]);
        const files = await runOk(own, ["-m", "pip", "show", "--files", "fermata"]);
        expect(files).toContain("fermata/py.typed");
        expect(files).not.toContain("google/");
        const [, turn = ""] = /```python\n([\s\S]*?)```/.exec(readFileSync(join(client, "README.md"), "utf8")) ?? [];
        const program = `${turn.replace("127.0.0.1:50551", sidecar.address)}\nprint(p.names, p.tool_choice, offered)`;
        const printed = await runOk(own, ["-c", program], { cwd: folder });
        expect(printed.trim()).toBe("('get_status',) get_status ['get_status']");
      } finally {
        await sidecar.end();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    5 * minutes,
  );

  it(
    "builds a wheel and an sdist",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "fermata-dist-"));
      const printed = await runOk(python, ["-m", "build", "--no-isolation", "--outdir", folder, client]);
      rmSync(folder, { recursive: true, force: true });
      expect(printed).toMatch(/fermata-[\d.]+\.tar\.gz and fermata-[\d.]+-py3-none-any\.whl/);
    },
    2 * minutes,
  );
});

async function pytest(tests: readonly string[], env: Readonly<Record<string, string>>) {
  const path = { PYTHONPATH: join(client, "src"), FERMATA_BIN: fermata };
  return run(python, ["-m", "pytest", "-p", "no:cacheprovider", ...tests], { cwd: client, env: { ...path, ...env } });
}

/** A venv with exactly what requirements-test.txt pins; made again when that file changes. */
async function makeVenv(): Promise<void> {
  const wanted = readFileSync(requirements, "utf8");
  const stamp = join(venv, "installed.txt");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  rmSync(venv, { recursive: true, force: true });
  await runOk("python3", ["-m", "venv", venv]);
  await runOk(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
  writeFileSync(stamp, wanted);
}

/** A folder with other versions of some packages, to stand before the venv's. */
async function overlay(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(root, `.venv/python-${name}`);
  const stamp = join(folder, "installed.txt");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === packages.join()) return folder;
  rmSync(folder, { recursive: true, force: true });
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", folder];
  await runOk(python, [...pip, ...packages]);
  writeFileSync(stamp, packages.join());
  return folder;
}
