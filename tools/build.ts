import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { generateSources } from "./generate-sources.ts";
import { thirdParty } from "./third-party.ts";

const root = join(import.meta.dirname, "..");
const dist = resolve(process.argv[2] ?? join(root, "dist"));

/**
 * Bundles the command line into dist/ or the folder that is named: it runs from anywhere and needs no node_modules. Everything stands flat
 * beside fermata.js, since `import.meta.url` is then a file of that folder, and what a module looks for beside itself has to be there.
 */
async function bundle(): Promise<void> {
  generateSources({ force: false });
  rmSync(dist, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: uniqueByName([{ in: "src/cli/main.ts", out: "fermata" }, ...workers()]),
    outdir: dist,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node24",
    legalComments: "none",
    inject: ["src/cli/to-base64.ts"], // Before protobuf-es wherever that is, also in a chunk that goes before fermata.js.
    metafile: true,
    logLevel: "warning",
    // grpc-js and pino are CommonJS: what they require of Node has to be found from an ES module.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
  });
  for (const { in: from, out } of migrations()) cpSync(join(root, from), join(dist, "migrations", out));
  writeFileSync(join(dist, "THIRD-PARTY.txt"), thirdParty(root, Object.keys(metafile.inputs)));
  writeFileSync(join(dist, "package.json"), '{ "type": "module" }\n');
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  console.log(`dist: ${Object.keys(metafile.outputs).length} files, ${(bytes / 1e6).toFixed(1)} MB`);
}

interface Entry {
  readonly in: string;
  readonly out: string;
}

/** Workers are started by name, not imported: they are found where `workerUrl` names them. */
function workers(): readonly Entry[] {
  return globSync("src/**/*.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/workerUrl\("([\w-]+)", import\.meta\.url\)/g)].map(
      ([, name]) => ({
        in: join(dirname(file), `${name}.ts`),
        out: `${name}`,
      }),
    ),
  );
}

function migrations(): readonly Entry[] {
  return uniqueByName(
    globSync("src/store/*/migrations/*.sql", { cwd: root }).map((file) => ({ in: file, out: basename(file) })),
  );
}

function uniqueByName(entries: readonly Entry[]): Entry[] {
  const byName = Map.groupBy(entries, ({ out }) => out);
  for (const [name, same] of byName) {
    const files = new Set(same.map((entry) => entry.in));
    if (files.size > 1)
      throw new Error(`dist is flat, so ${[...files].join(" and ")} cannot both be ${name}: rename one`);
  }
  return [...byName.values()].flatMap((same) => same.slice(0, 1));
}

await bundle();
