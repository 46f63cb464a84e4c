import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const target = resolve(process.argv[2] ?? join(root, "dist/npm"));

/** What the library needs; the command line brings all else in its bundle. */
const dependencies = ["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-node"];

/**
 * Lays out the npm package in dist/npm or the folder that is named, ready for `npm pack`: the library as JavaScript with its types, the bundled
 * command line, and a manifest of its own. Node does not strip types inside node_modules, so no TypeScript goes in.
 */
function layOut(): void {
  execFileSync(process.execPath, [join(root, "tools/build.ts"), join(target, "dist")], { stdio: "inherit" });
  rmSync(join(target, "lib"), { recursive: true, force: true });
  emitLibrary();
  for (const file of ["bin/fermata", "CHANGELOG.md", "LICENSE"]) cpSync(join(root, file), join(target, file));
  chmodSync(join(target, "bin/fermata"), 0o755);
  cpSync(join(root, "src/npm/README.md"), join(target, "README.md"));
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  console.log(`${target}: ready for npm pack`);
}

function emitLibrary(): void {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const project = join(root, "src/npm/tsconfig.json");
  execFileSync(process.execPath, [compiler, "-p", project, "--outDir", join(target, "lib")], { stdio: "inherit" });
  for (const file of globSync("lib/**/*.d.ts", { cwd: target })) {
    const path = join(target, file);
    writeFileSync(path, withJsImports(readFileSync(path, "utf8")));
  }
}

/** The compiler writes the imports of JavaScript anew, not those of types. */
function withJsImports(text: string): string {
  return text.replace(/((?:from|import\()\s*")(\.{1,2}\/[^"]+)\.ts"/g, '$1$2.js"');
}

function manifest(): object {
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { name, version, description, license, type, engines, bin, optionalDependencies } = own;
  const needed = Object.fromEntries(dependencies.map((needs) => [needs, own.dependencies[needs]]));
  const entry = { types: "./lib/npm/fermata.d.ts", default: "./lib/npm/fermata.js" };
  return {
    ...{ name, version, description, license, type, engines, bin },
    exports: { ".": entry, "./package.json": "./package.json" },
    types: entry.types,
    files: ["bin", "dist", "lib", "CHANGELOG.md"],
    dependencies: needed,
    optionalDependencies,
  };
}

layOut();
