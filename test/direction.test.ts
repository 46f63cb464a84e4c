import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const cruiser = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
const rules = join(root, ".dependency-cruiser.cjs");

describe("the arrows of the house", () => {
  const found = cruise(root);

  it("are kept by every file of src", () => {
    expect(found.violations).toEqual([]);
  });

  it("were looked for in exactly the files of src", () => {
    expect(found.modules.length).toBeGreaterThan(0);
    expect(found.modules).toEqual(filesOfSrc());
  });

  it("let the domain have one thing of Node: createHash", () => {
    const imports = filesOfSrc()
      .filter((file) => file.startsWith("src/domain/"))
      .flatMap((file) => readFileSync(join(root, file), "utf8").match(/^import .*"node:.*$/gm) ?? []);
    expect(new Set(imports)).toEqual(new Set(['import { createHash } from "node:crypto";']));
  });
});

describe("the checker of the arrows", () => {
  const house = mkdtempSync(join(tmpdir(), "fermata-house-"));
  afterAll(() => rmSync(house, { recursive: true }));

  const allowed = [
    ["src/cli/a.ts", "src/serve.ts"],
    ["src/serve.ts", "src/sidecar.ts"],
    ["src/cli/a.ts", "src/config.ts"],
    ["src/cli/a.ts", "src/client.ts"],
    ["src/cli/a.ts", "src/rpc/palette/a.ts"],
    ["src/sidecar.ts", "src/config.ts"],
    ["src/sidecar.ts", "src/transport/a.ts"],
    ["src/sidecar.ts", "src/store/open.ts"],
    ["src/config.ts", "src/domain/a.ts"],
    ["src/client.ts", "src/gen/a_service_pb.ts"],
    ["src/transport/a.ts", "src/rpc/palette/a.ts"],
    ["src/transport/a.ts", "src/store/fault.ts"],
    ["src/rpc/palette/a.ts", "src/store/ports.ts"],
    ["src/rpc/palette/a.ts", "src/gen/a_service_pb.ts"],
    ["src/store/open.ts", "src/store/sqlite/a.ts"],
    ["src/store/sqlite/a.ts", "src/store/ports.ts"],
    ["src/store/sqlite/a.ts", "src/domain/a.ts"],
    ["src/domain/a.ts", "src/gen/a_pb.ts"],
    ["src/domain/a.ts", "node:crypto"],
    ["src/domain/b.ts", "src/domain/a.ts"],
  ] as const;

  const forbidden = [
    ["src/sidecar.ts", "src/cli/a.ts"],
    ["src/sidecar.ts", "src/store/sqlite/a.ts"],
    ["src/sidecar.ts", "src/gen/a_service_pb.ts"],
    ["src/client.ts", "src/domain/a.ts"],
    ["src/client.ts", "src/config.ts"],
    ["src/config.ts", "src/store/ports.ts"],
    ["src/transport/a.ts", "src/sidecar.ts"],
    ["src/transport/a.ts", "src/config.ts"],
    ["src/transport/a.ts", "src/store/open.ts"],
    ["src/rpc/palette/a.ts", "src/transport/a.ts"],
    ["src/rpc/palette/a.ts", "src/config.ts"],
    ["src/rpc/palette/a.ts", "src/store/sqlite/a.ts"],
    ["src/rpc/palette/a.ts", "node:fs"],
    ["src/rpc/palette/a.ts", "node:http2"],
    ["src/store/ports.ts", "src/rpc/palette/a.ts"],
    ["src/store/ports.ts", "src/gen/a_service_pb.ts"],
    ["src/store/sqlite/a.ts", "src/store/postgres/a.ts"],
    ["src/store/sqlite/a.ts", "src/config.ts"],
    ["src/domain/a.ts", "src/store/ports.ts"],
    ["src/domain/a.ts", "src/rpc/palette/a.ts"],
    ["src/domain/a.ts", "src/config.ts"],
    ["src/domain/a.ts", "src/gen/a_service_pb.ts"],
    ["src/domain/a.ts", "node:fs"],
    ["src/domain/a.ts", "src/nowhere/a.ts"],
  ] as const;

  const circle = [
    ["src/domain/one.ts", "src/domain/other.ts"],
    ["src/domain/other.ts", "src/domain/one.ts"],
  ] as const;

  build(house, [...allowed, ...forbidden, ...circle]);
  const { violations } = cruise(house);
  const found = violations.filter((text) => text.startsWith("not-in-allowed"));

  it.each(allowed)("lets %s see %s", (from, to) => {
    expect(found).not.toContain(violation(from, to));
  });

  it.each(forbidden)("does not let %s see %s", (from, to) => {
    expect(found).toContain(violation(from, to));
  });

  it("finds a circle of types", () => {
    expect(violations).toContain("no-circle: src/domain/one.ts -> src/domain/other.ts");
  });
});

/** What dependency-cruiser reports for this pair. */
function violation(from: string, to: string): string {
  return `not-in-allowed: ${from} -> ${to.replace("node:", "")}`;
}

/** Writes files that import each other by these pairs. */
function build(house: string, pairs: readonly (readonly [string, string])[]): void {
  const files = new Set(pairs.flat().filter((file) => file.startsWith("src/")));
  for (const file of files) {
    const seen = pairs.filter(([from]) => from === file).map(([, to]) => specifier(file, to));
    mkdirSync(join(house, dirname(file)), { recursive: true });
    writeFileSync(join(house, file), `${seen.map((to) => `import type {} from "${to}";`).join("\n")}\nexport {};\n`);
  }
}

function specifier(from: string, to: string): string {
  return to.startsWith("src/") ? `${"../".repeat(from.split("/").length - 1)}${to}` : to;
}

interface Cruise {
  readonly violations: readonly string[];
  /** The files that were read, without the generated ones. */
  readonly modules: readonly string[];
}

interface Report {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

function cruise(folder: string): Cruise {
  const args = [cruiser, "--config", rules, "--output-type", "json", "src"];
  const text = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 27 });
  const { modules, summary } = JSON.parse(text) as Report; // The report's shape is dependency-cruiser's, of the pinned version.
  return {
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
    modules: modules
      .map(({ source }) => source)
      .filter((file) => /^src\/(?!gen\/)/.test(file))
      .toSorted(),
  };
}

/** As git sees them: committed or not, without what it ignores. */
function filesOfSrc(): readonly string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "src/*.ts"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
  return files.filter((file) => existsSync(join(root, file))).toSorted();
}
