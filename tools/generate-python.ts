import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const committed = join(root, "clients/python/src/fermata/_gen");
const stamp = join(committed, "made-from");
const venv = join(root, ".venv/python-gen");
const python = join(venv, "bin/python");

/** It decides the version of the generated code, which must not be newer than any protobuf that the client declares. */
const pins = ["grpcio-tools==1.71.2", "grpcio==1.71.2", "protobuf==5.29.6"];

/** What the output depends on. */
const sources = [
  "proto/**/*.proto",
  "test/golden/statuses.json",
  ...["generate-python", "python-errors", "class-names", "taxonomy"].map((name) => `tools/${name}.ts`),
];

/**
 * Brings the generated modules of clients/python up to the protos. They are committed, and so is the stamp of what they were made from: while
 * it fits, no Python is needed. Without Python on this machine it says so and leaves them; with CI=true that is a failure.
 */
export function generatePython({ force }: { readonly force: boolean }): void {
  if (!force && existsSync(stamp) && readFileSync(stamp, "utf8") === digestOfSources()) return;
  if (!hasPython()) {
    const missing = "clients/python is not generated: there is no python3 with venv on this machine";
    if (process.env["CI"] === "true") throw new Error(missing);
    console.log(`${missing} (skipped)`);
    return;
  }
  const fresh = mkdtempSync(join(root, ".generate.python."));
  try {
    makePython(fresh);
    rmSync(committed, { recursive: true, force: true });
    cpSync(fresh, committed, { recursive: true });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  writeFileSync(stamp, digestOfSources());
  console.log("clients/python is generated from proto");
}

/** Writes what the protos say now into a folder, as it stands in clients/python/src/fermata/_gen. */
export function makePython(folder: string): void {
  makeVenv();
  const aside = mkdtempSync(join(root, ".generate.python."));
  try {
    runBuf(aside);
    const made = join(aside, "fermata");
    for (const file of globSync("**/*_pb2.{py,pyi}", { cwd: made })) {
      writeFileSync(join(made, file), moved(readFileSync(join(made, file), "utf8")));
    }
    for (const part of ["", ...globSync("**/", { cwd: made })]) writeFileSync(join(made, part, "__init__.py"), "");
    writeFileSync(join(made, "statuses.json"), recordedStatuses());
    cpSync(made, folder, { recursive: true });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function digestOfSources(): string {
  const hash = createHash("sha256");
  for (const file of globSync(sources, { cwd: root }).toSorted()) hash.update(`${file}\0`).update(read(file));
  for (const file of outputs()) hash.update(`${file}\0`).update(read(join("clients/python/src/fermata/_gen", file)));
  return `${hash.digest("hex")}\n`;
}

/** The committed modules count as well, so that a change by hand is undone. */
function outputs(): readonly string[] {
  return globSync("**/*.{py,pyi,json}", { cwd: committed }).toSorted();
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function hasPython(): boolean {
  return spawnSync("python3", ["-m", "venv", "--help"]).status === 0;
}

function makeVenv(): void {
  const installed = join(venv, "installed.txt");
  if (existsSync(installed) && readFileSync(installed, "utf8") === pins.join("\n")) return;
  rmSync(venv, { recursive: true, force: true });
  execFileSync("python3", ["-m", "venv", venv], { stdio: "inherit" });
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...pins], {
    stdio: "inherit",
  });
  writeFileSync(installed, pins.join("\n"));
}

/** One run for the messages, by the protoc of grpcio-tools, and for the exceptions, by our plugin. */
function runBuf(aside: string): void {
  const protoc = { protoc_path: [python, "-m", "grpc_tools.protoc"], out: "." };
  const plugins = [
    { protoc_builtin: "python", ...protoc },
    { protoc_builtin: "pyi", ...protoc },
    { local: ["node", "tools/protoc-gen-fermata.ts"], out: "fermata", opt: ["target=ts", "makes=python"] },
  ];
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(":");
  execFileSync(
    "buf",
    ["generate", "proto", "--template", JSON.stringify({ version: "v2", plugins }), "--output", aside],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, PATH: path },
    },
  );
}

/** Imports and module names in generated code follow the folders of the protos; here they stand below a private package of ours. */
function moved(text: string): string {
  return text
    .replace(/^from fermata\./gm, "from fermata._gen.")
    .replace(/(BuildTopDescriptorsAndMessages\(DESCRIPTOR, ')fermata\./g, "$1fermata._gen.")
    .replace(/^(\w+): _ClassVar\[int\]/gm, "$1: int") // the numbers of extensions stand in no class
    .replace(/: bool = \.\.\./g, ": _Optional[bool] = ..."); // protoc lets every field but these be None
}

/** What fermata.testing hands out: one plain golden status of each leaf and cause. */
function recordedStatuses(): string {
  const golden: readonly Readonly<Record<string, unknown>>[] = JSON.parse(read("test/golden/statuses.json"));
  const plain = golden.filter(({ variant }) => variant === "plain");
  const kept = ["leaf", "cause", "code", "text", "facts", "detailsBase64"];
  const lines = plain.map((status) => JSON.stringify(Object.fromEntries(kept.map((name) => [name, status[name]]))));
  return `[\n${lines.join(",\n")}\n]\n`;
}
