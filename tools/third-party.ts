import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of the packages whose code stands in a bundle, as one text that is delivered with it. `inputs` are the bundled files. */
export function thirdParty(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => packageFolder(file) ?? []));
  return [...folders]
    .toSorted()
    .map((folder) => notice(root, folder))
    .join(`\n${"=".repeat(80)}\n\n`);
}

/** The innermost package that a file belongs to. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function notice(root: string, folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const texts = globSync("{LICENSE,LICENCE,NOTICE,License,license}*", { cwd: join(root, folder) }).toSorted();
  if (typeof license !== "string" && texts.length === 0)
    throw new Error(`${name} names no licence: it cannot be delivered`);
  const parts = texts.map((text) => readFileSync(join(root, folder, text), "utf8").trim());
  return `${[`${name} ${version} (${license})`, ...parts].join("\n\n")}\n`;
}
