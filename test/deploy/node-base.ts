import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const roots = "/etc/ssl/certs/ca-certificates.crt";

/**
 * Writes the context of a base image into a folder, where no registry of images can be reached: the Node that runs the tests, its
 * libraries, npm, and `env`, which starts npm. It stands for the official image in that it brings Node and npm, and in nothing else.
 */
export function writeNodeBase(folder: string): void {
  const tree = join(folder, "tree");
  for (const library of loadedLibraries()) copy(library, join(tree, library));
  copy(process.execPath, join(tree, "usr/local/bin/node"));
  copy("/usr/bin/env", join(tree, "usr/bin/env"));
  copy(npmFolder(), join(tree, "usr/local/lib/node_modules/npm"));
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(tree, "usr/local/bin/npm"));
  mkdirSync(join(tree, "tmp"));
  if (existsSync(roots)) copy(roots, join(tree, roots));
  const trust = existsSync(roots) ? `NODE_EXTRA_CA_CERTS=${roots}` : "";
  writeFileSync(
    join(folder, "Dockerfile"),
    `FROM scratch\nCOPY tree/ /\nENV PATH=/usr/local/bin:/usr/bin npm_config_update_notifier=false ${trust}\n`,
  );
}

function loadedLibraries(): readonly string[] {
  const report = process.report.getReport() as { readonly sharedObjects?: readonly string[] }; // typed as an object only
  return (report.sharedObjects ?? []).filter((path) => path.startsWith("/"));
}

/** Of the npm in PATH, whichever it is: bin/npm leads to npm/bin/npm-cli.js. */
function npmFolder(): string {
  const found = spawnSync("which", ["npm"], { encoding: "utf8" }).stdout.trim();
  return dirname(dirname(realpathSync(found)));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), to, { recursive: true });
}
