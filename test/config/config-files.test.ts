import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { environmentName, leaves } from "../../src/config/leaves.ts";
import { readConfig } from "../../src/config.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const sample = readFileSync(`${root}fermata.sample.yaml`, "utf8");

function read(text: string) {
  return readConfig({ file: { name: "sample", text }, env: { HOME: "/h" }, flags: {} });
}

describe("config.schema.json and fermata.sample.yaml", () => {
  it("are as the settings make them", () => {
    const { status, stderr } = spawnSync(process.execPath, ["tools/config-schema.ts", "--check"], { cwd: root });
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
  });

  it("sets nothing as it stands", () => {
    const loaded = read(sample);
    expect(loaded.kind === "loaded" && loaded.effective.every((one) => one.from === "default")).toBe(true);
  });

  it("is a sound config when every setting is uncommented, and shows every setting", () => {
    const loaded = read(sample.replace(/^#(?=[^\s#]| {2})/gm, ""));
    expect(loaded).toMatchObject({ kind: "loaded", warnings: [] });
    expect(loaded.kind === "loaded" && loaded.effective.filter((one) => one.from === "default")).toEqual([]);
  });

  it.each(leaves)("names the variable of $path", ({ path }) => {
    expect(sample).toContain(environmentName(path));
  });
});
