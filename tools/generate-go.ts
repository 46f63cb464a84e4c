import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const module = join(root, "clients/go");
const stamp = join(module, "gen/made-from");

/** What the code is made from. */
const sources = [
  "proto/**/*.proto",
  "clients/go/{buf.gen.yaml,tools.mod}",
  "tools/{generate-go,go-errors,class-names,taxonomy}.ts",
];

/** What is made, without the stamp. */
const made = ["clients/go/gen/**/*.go", "clients/go/leaves_gen.go"];

/**
 * Brings the generated code of clients/go up to the protos. It is committed together with a stamp of what it was made from; while that fits,
 * no Go is needed. A machine without Go is told so and leaves the code as it is; with CI=true that is a failure.
 */
export function generateGo({ force }: { readonly force: boolean }): void {
  if (!force && existsSync(stamp) && readFileSync(stamp, "utf8") === stampOf()) return;
  if (spawnSync("go", ["version"]).status !== 0) {
    tellThatGoIsMissing();
    return;
  }
  const aside = mkdtempSync(join(root, ".generate.go."));
  try {
    makeGo(aside);
    rmSync(join(module, "gen"), { recursive: true, force: true });
    cpSync(aside, module, { recursive: true });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  writeFileSync(stamp, stampOf());
  console.log("clients/go is generated from proto");
}

/** Makes the code in another folder, whatever stands in clients/go. */
export function makeGo(folder: string): void {
  execFileSync("buf", ["generate", "../../proto", "--output", folder], {
    cwd: module, // where go.mod pins the plugins
    stdio: "inherit",
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}` },
  });
}

function tellThatGoIsMissing(): void {
  const text = "clients/go is not generated: there is no go on this machine";
  if (process.env["CI"] === "true") throw new Error(text);
  console.log(`${text} (skipped)`);
}

/** A change of the made code by hand does not fit either. */
function stampOf(): string {
  const hash = createHash("sha256");
  const files = [...globSync(sources, { cwd: root }).toSorted(), ...globSync(made, { cwd: root }).toSorted()];
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return `${hash.digest("hex")}\n`;
}
