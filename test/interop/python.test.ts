import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { built, describeWith, root, runOk } from "./programs.ts";
import { type Reader, testReader } from "./readers.ts";

const sources = join(root, "test/interop/python");
const venv = join(built, "python");
const generated = join(built, "python-gen");
const python = join(venv, "bin/python");

describeWith("python3", ["-m", "venv", "--help"], () => testReader(buildReader));

async function buildReader(): Promise<Reader> {
  await installRequirements();
  await generate();
  return { program: python, args: [join(sources, "read_statuses.py")], env: { PYTHONPATH: generated } };
}

/** A venv with exactly what requirements.txt pins; made again when that file changes. */
async function installRequirements(): Promise<void> {
  const requirements = join(sources, "requirements.txt");
  const installed = join(venv, "installed.txt");
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  rmSync(venv, { recursive: true, force: true });
  await runOk("python3", ["-m", "venv", venv]);
  await runOk(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
  writeFileSync(installed, wanted);
}

async function generate(): Promise<void> {
  const plugin = { protoc_builtin: "python", protoc_path: [python, "-m", "grpc_tools.protoc"], out: generated };
  const template = { version: "v2", clean: true, plugins: [plugin] };
  await runOk("buf", ["generate", "proto", "--template", JSON.stringify(template)]);
}
