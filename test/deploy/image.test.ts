import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWith, type Ended, root, run, runOk } from "../interop/programs.ts";
import { writeNodeBase } from "./node-base.ts";
import { pythonTool } from "./python-tools.ts";

const minutes = 60_000;

describeWith("python3", ["--version"], () => {
  it("has a Dockerfile that hadolint has nothing against", { timeout: 2 * minutes }, async () => {
    expect(await run(await pythonTool("hadolint"), ["Dockerfile"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describeWith("buildah", ["--version"], () => {
  const work = mkdtempSync(join(tmpdir(), "fermata-image-"));
  let image: Image;
  beforeAll(async () => {
    image = await buildImage(work);
  }, 8 * minutes);
  afterAll(async () => {
    await buildah(work, "umount", "--all");
    rmSync(work, { recursive: true, force: true });
  });

  it("runs as a numeric user, starts without a shell and serves by default", () => {
    expect(image.config.User).toBe("65532:65532");
    expect(image.config.Entrypoint).toEqual(["/usr/local/bin/node", "--max-old-space-size=128", "/app/fermata.js"]);
    expect(image.config.Cmd.slice(0, 1)).toEqual(["serve"]);
  });

  it("holds Node, its libraries, the app, roots of trust, and no shell and no npm", () => {
    expect(readdirSync(join(image.files, "usr/local/bin")).toSorted()).toEqual(["fermata", "node"]);
    expect(existsSync(join(image.files, "etc/ssl/certs/ca-certificates.crt"))).toBe(true);
    for (const name of ["bin", "usr/bin", "usr/local/lib", "src", "node_modules"]) {
      expect({ name, there: existsSync(join(image.files, name)) }).toEqual({ name, there: false });
    }
  });

  it("is smaller than 140 MB", () => {
    expect(bytesOf(image.files)).toBeLessThan(140_000_000);
  });

  it("lets its user write to its store, its socket's folder and the temporary folder only", () => {
    const writable = foldersOf(image.files, "").filter((folder) => lstatSync(join(image.files, folder)).uid === 65532);
    expect(writable).toEqual(expect.arrayContaining(["var/lib/fermata", "run/fermata", "tmp"]));
    expect(writable.filter((folder) => /^(app|etc|lib|lib64|usr)\b/.test(folder))).toEqual([]);
  });

  it("has the command that `kubectl exec` starts", async () => {
    expect(await inImage(image, ["/usr/local/bin/fermata", "version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^fermata \d/),
    });
  });

  it("serves, is found healthy over its socket, and ends with 0 when it is told to", async () => {
    const socket = "unix:/run/fermata/fermata.sock";
    const command = [...image.config.Entrypoint, "serve", "--listen", socket, "--admin-listen", "none"];
    const serving = startInImage(image, command);
    const waited = await inImage(image, ["/usr/local/bin/fermata", "wait", "--target", socket]);
    const looked = await inImage(image, ["/usr/local/bin/fermata", "healthcheck", "--target", socket]);
    serving.stop();
    const { code, log } = await serving.ended;
    expect({ waited: waited.code, looked: looked.code, code }, log).toEqual({ waited: 0, looked: 0, code: 0 });
  });

  it("keeps its store in the data folder", () => {
    expect(readdirSync(join(image.files, "var/lib/fermata"))).toContain("fermata.sqlite");
  });
});

interface Image {
  readonly config: { readonly User: string; readonly Entrypoint: readonly string[]; readonly Cmd: readonly string[] };
  /** Where its file system is mounted. */
  readonly files: string;
}

/** Builds as the README says, with a base image made here and with npm's cache of this machine. */
async function buildImage(work: string): Promise<Image> {
  writeNodeBase(work);
  await buildah(work, "build", "--tag", "localhost/node", work);
  const cache = `${join(homedir(), ".npm")}:/root/.npm`;
  mkdirSync(join(homedir(), ".npm"), { recursive: true });
  const base = ["--build-arg", "NODE_IMAGE=localhost/node", "--volume", cache];
  await buildah(work, "build", ...base, "--tag", "localhost/fermata", root);
  const inspected = JSON.parse(await buildah(work, "inspect", "--type", "image", "localhost/fermata"));
  const container = (await buildah(work, "from", "localhost/fermata")).trim();
  const files = (await buildah(work, "mount", container)).trim();
  return { config: inspected.OCIv1.config, files };
}

/** Everything that buildah writes stays below one folder of the test. */
function buildah(work: string, command: string, ...args: readonly string[]): Promise<string> {
  const storage = ["--root", join(work, "storage"), "--runroot", join(work, "run"), "--storage-driver", "vfs"];
  return runOk("buildah", [...storage, command, ...args], { env: { BUILDAH_ISOLATION: "chroot" } });
}

const asItsUser = (image: Image) => ["--userspec=65532:65532", image.files];

function inImage(image: Image, command: readonly string[]): Promise<Ended> {
  return run("chroot", [...asItsUser(image), ...command]);
}

interface Serving {
  readonly ended: Promise<{ readonly code: number | null; readonly log: string }>;
  stop(): void;
}

/** chroot becomes the command, so that a signal reaches it. */
function startInImage(image: Image, command: readonly string[]): Serving {
  const child = spawn("chroot", [...asItsUser(image), ...command], {
    env: { PATH: process.env["PATH"], XDG_STATE_HOME: "/var/lib" },
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
  }
  const ended = new Promise<{ code: number | null; log: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, log }));
  });
  return { ended, stop: () => child.kill("SIGTERM") };
}

function foldersOf(files: string, folder: string): readonly string[] {
  return readdirSync(join(files, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [join(folder, name), ...foldersOf(files, join(folder, name))]);
}

function bytesOf(files: string): number {
  return readdirSync(files, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
}
