import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { configJsonSchema, environmentName, flagName, type Leaf, leaves } from "../src/config/leaves.ts";

// Writes config.schema.json and fermata.sample.yaml, which are committed, from the settings. With --check it only tells whether they are old.
const root = new URL("../", import.meta.url);
const schemaFile = new URL("config.schema.json", root);
const sampleFile = new URL("fermata.sample.yaml", root);
if (process.argv.includes("--check")) check();
else write();

function write(): void {
  writeFileSync(schemaFile, `${JSON.stringify(schema(), null, 2)}\n`);
  writeFileSync(sampleFile, sample());
  spawnSync("biome", ["format", "--write", "config.schema.json"], { cwd: fileURLToPath(root), stdio: "inherit" });
}

function check(): void {
  const fresh =
    isDeepStrictEqual(JSON.parse(readFileSync(schemaFile, "utf8")), JSON.parse(JSON.stringify(schema()))) &&
    readFileSync(sampleFile, "utf8") === sample();
  if (fresh) return;
  process.stderr.write("config.schema.json or fermata.sample.yaml is old: run node tools/config-schema.ts\n");
  process.exitCode = 1;
}

function schema(): object {
  return { title: "The config of Fermata", ...configJsonSchema() };
}

function sample(): string {
  return `# yaml-language-server: $schema=./config.schema.json
#
# Every setting of Fermata: why it is as it is, and its default (an example where it has none). Made by tools/config-schema.ts.
# Nothing is set here: take the # away from what shall differ, and from the line of its section. Flags win over the environment,
# that over this file. \`fermata check-config --config FILE\` tells every fault at once, \`fermata print-config\` what is in effect.
${leaves.map((leaf, index) => settingText(leaf, leaves[index - 1])).join("")}`;
}

/** Words after "# ", settings after a bare "#". */
function settingText(leaf: Leaf, before: Leaf | undefined): string {
  const [section = ""] = leaf.path;
  const opens = leaf.path.length > 1 && before?.path[0] !== section ? `\n#${section}:\n` : "";
  const from = [environmentName(leaf.path), flagName(leaf)].filter(Boolean).join(", ");
  const gap = leaf.path.length > 1 ? "" : "\n";
  return `${opens}${gap}# ${leaf.description} (${from})\n${valueLines(leaf)}`;
}

function valueLines({ path, fallback, example }: Leaf): string {
  const shown = isEmpty(fallback) ? (example ?? fallback) : fallback;
  const text = stringify({ [path.at(-1) ?? ""]: shown }, { lineWidth: 0 });
  const indent = "  ".repeat(path.length - 1);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `#${indent}${line}\n`)
    .join("");
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}
