import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runOk } from "../interop/programs.ts";

const venv = join(root, ".venv/deploy");

/** The path of a program that requirements.txt pins. The venv that holds them is made once, and again when that file changes. */
export async function pythonTool(name: string): Promise<string> {
  const requirements = join(root, "test/deploy/requirements.txt");
  const installed = join(venv, "installed.txt");
  const wanted = readFileSync(requirements, "utf8");
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== wanted) {
    rmSync(venv, { recursive: true, force: true });
    await runOk("python3", ["-m", "venv", venv]);
    await runOk(join(venv, "bin/pip"), ["install", "--quiet", "--no-deps", "-r", requirements]);
    writeFileSync(installed, wanted);
  }
  return join(venv, "bin", name);
}
