import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goldenRefusals } from "../golden/golden-status.ts";
import { describeWith, root, runOk } from "../interop/programs.ts";
import { startGoldenServer, type TestServer } from "../transport/servers.ts";
import { temporaryFolder } from "../transport/sidecars.ts";

const folder = temporaryFolder();
const attw = join(root, "node_modules/.bin/attw");
const withoutAttw = !existsSync(attw) && process.env["CI"] !== "true";
let server: TestServer;
let tarball: string;

describeWith("npm", ["--version"], () => {
  beforeAll(async () => {
    server = await startGoldenServer(goldenRefusals());
    const staged = join(folder.path, "staged");
    await runOk(process.execPath, [join(root, "tools/build-npm.ts"), staged]);
    const packed = await runOk("npm", ["pack", staged, "--json", "--pack-destination", folder.path]);
    tarball = join(folder.path, JSON.parse(packed)[0].filename);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  it("packs no TypeScript but declarations, and no test", async () => {
    const files = (await runOk("tar", ["-tzf", tarball])).trim().split("\n");
    expect(files).toEqual(
      expect.arrayContaining(["package/lib/npm/fermata.js", "package/lib/npm/fermata.d.ts", "package/bin/fermata"]),
    );
    expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([]);
    expect(files.filter((file) => /\/test\/|\/node_modules\//.test(file))).toEqual([]);
  });

  it("works in an empty project: the client, its types, and the command line", async () => {
    const project = join(folder.path, "project");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
    await runOk("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], {
      cwd: project,
    });
    writeFileSync(join(project, "host.ts"), host);
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(strict));
    await runOk(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project]);
    for (const protocol of ["grpc", "connect"]) {
      const printed = await runOk(process.execPath, ["host.js", server.address, protocol], { cwd: project });
      expect(printed).toBe("FORCED_TOOL_UNAVAILABLE send_mail true\n");
    }
    const explained = await runOk(join(project, "node_modules/.bin/fermata"), ["explain", "UNSAFE_BOUNDARY"], {
      cwd: project,
    });
    expect(explained).toContain("UNSAFE_BOUNDARY");
  }, 180_000);

  describe.skipIf(withoutAttw)(withoutAttw ? "skipped: attw is not installed" : "to attw", () => {
    it("has types that fit how it is imported", () => runOk(attw, [tarball, "--profile", "esm-only"]), 60_000);
  });
});

/** A host that looks into the declarations of what it uses, too. */
const strict = {
  compilerOptions: {
    target: "es2024",
    module: "nodenext",
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    types: [],
    lib: ["es2024", "dom"],
  },
  files: ["host.ts"],
};

const host = `
import { createFermata, factsOf, FermataError, type Turn } from "fermata";

declare const process: { readonly argv: string[] };
const [, , target = "", protocol] = process.argv;
const fermata = createFermata(target, { protocol: protocol === "connect" ? "connect" : "grpc" });
const turn: Turn = { tools: [], force: "FORCED_TOOL_UNAVAILABLE/NOT_REGISTERED plain" };
try {
  await fermata.resolve(turn);
} catch (thrown) {
  if (!(thrown instanceof FermataError)) throw thrown;
  console.log(thrown.reason, factsOf(thrown, "forcedToolUnavailable")?.forcedTool, thrown.isA("CONTRACT_VIOLATION"));
}
fermata.close();
`;
