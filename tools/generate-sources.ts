import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const generated = join(root, "src/gen");
const stamp = join(generated, ".made-from");

/** What the output depends on: our protos, the plugin, and the lockfile, which pins foreign protos and the generator. */
const sources = [
  "proto/**/*.proto",
  "buf.yaml",
  "buf.gen.yaml",
  "tools/{protoc-gen-fermata,refusals-page,taxonomy}.ts",
  "package-lock.json",
];

/**
 * Brings src/gen and docs/refusals.md up to the protos; without `force` only if the stamp names other sources. It needs nothing but
 * `npm ci`. It writes aside and moves in one step, so that two first starts at once do not disturb each other.
 */
export function generateSources({ force }: { readonly force: boolean }): void {
  const digest = digestOfSources();
  if (!force && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) {
    console.log("src/gen is up to date");
    return;
  }
  const aside = mkdtempSync(join(root, ".generate."));
  try {
    runBuf(aside);
    writeFileSync(join(aside, "src/gen/.made-from"), digest);
    cpSync(join(aside, "docs"), join(root, "docs"), { recursive: true });
    replace(join(aside, "src/gen"), join(aside, "old"));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  console.log("src/gen and docs/refusals.md are generated from proto");
}

function digestOfSources(): string {
  const hash = createHash("sha256");
  for (const file of globSync(sources, { cwd: root }).toSorted()) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

/** The plugins are found beside buf, and `node` for ours is the one that runs this file. */
function runBuf(output: string): void {
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(":");
  execFileSync("buf", ["generate", "--output", output], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: path },
  });
}

function replace(fresh: string, old: string): void {
  if (existsSync(generated)) renameSync(generated, old);
  try {
    renameSync(fresh, generated);
  } catch (thrown) {
    if (!isTaken(thrown)) throw thrown; // Another process has just put the same there.
  }
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && (thrown.code === "ENOTEMPTY" || thrown.code === "EEXIST");
}

// The first start in a checkout needs this much and no more; `npm run generate` makes the clients, too.
if (import.meta.main) generateSources({ force: false });
