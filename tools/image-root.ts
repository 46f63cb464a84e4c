import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rootCertificates } from "node:tls";

/** Whom the image runs as; no user of a usual machine. */
const user = 65532;

/** Half the memory limit of the manifests (256 MiB), in MiB. Node does not see small cgroups. */
const oldSpace = 128;

/**
 * Lays out an image that starts from nothing. In `root`: the Node that runs this file with the libraries that it has loaded, the bundle,
 * roots of trust, one user. In `writable`: an empty folder for each that this user may write to. Run it after the build.
 */
function layOut(target: string): void {
  const root = join(target, "root");
  copy(process.execPath, join(root, "usr/local/bin/node"));
  for (const library of loadedLibraries()) copy(library, join(root, library));
  cpSync(join(import.meta.dirname, "../dist"), join(root, "app"), { recursive: true });
  write(join(root, "etc/ssl/certs/ca-certificates.crt"), `${rootCertificates.join("\n")}\n`);
  write(join(root, "etc/passwd"), `fermata:x:${user}:${user}:fermata:/var/lib/fermata:/usr/local/bin/fermata\n`);
  write(join(root, "etc/group"), `fermata:x:${user}:\n`);
  write(join(root, "usr/local/bin/fermata"), command, 0o755);
  for (const name of ["store", "socket", "tmp"]) mkdirSync(join(target, "writable", name), { recursive: true });
}

/** `fermata` for `kubectl exec`: the kernel starts it, since there is no shell. */
const command = `#!/usr/local/bin/node --max-old-space-size=${oldSpace}
import("/app/fermata.js");
`;

/** By the paths that the loader looked at; the first is the kernel's own and no file. */
function loadedLibraries(): readonly string[] {
  const report: unknown = process.report.getReport();
  const { sharedObjects } = report as { readonly sharedObjects: readonly string[] }; // @types/node knows it as an object only
  return sharedObjects.filter((path) => path.startsWith("/"));
}

function copy(from: string, to: string): void {
  cpSync(realpathSync(from), to);
}

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("say which folder to fill: node tools/image-root.ts FOLDER");
layOut(target);
