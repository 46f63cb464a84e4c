import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeGo } from "../../tools/generate-go.ts";
import { goldenRefusals } from "../golden/golden-status.ts";
import { describeWith, root, run, runOk } from "../interop/programs.ts";
import { startGoldenServer, type TestServer } from "../transport/servers.ts";
import { temporaryFolder } from "../transport/sidecars.ts";

const client = join(root, "clients/go");
const onCi = process.env["CI"] === "true";

/** The race detector needs a C compiler; on CI it has to be there. */
const race = onCi || spawnSync("gcc", ["--version"]).status === 0 ? ["-race"] : [];

describeWith("go", ["version"], () => {
  const folder = temporaryFolder();
  let golden: TestServer;

  beforeAll(async () => {
    golden = await startGoldenServer(goldenRefusals());
  });
  afterAll(async () => {
    await golden.stop();
    folder.remove();
  });

  it("has every leaf of the taxonomy and every message, as the protos say them now", () => {
    const fresh = join(folder.path, "fresh");
    makeGo(fresh);
    const made = globSync("**/*.go", { cwd: fresh }).toSorted();
    expect(made.length).toBeGreaterThan(10);
    expect(globSync("{gen/**/*.go,leaves_gen.go}", { cwd: client }).toSorted()).toEqual(made);
    for (const file of made)
      expect(readFileSync(join(client, file), "utf8"), file).toBe(readFileSync(join(fresh, file), "utf8"));
  }, 300_000);

  it("is formatted, and clean to go vet and staticcheck", async () => {
    expect(await runOk("gofmt", ["-l", "."], { cwd: client })).toBe("");
    await runOk("go", ["vet", "./..."], { cwd: client });
    await runOk("go", ["tool", "-modfile=tools.mod", "staticcheck", "./..."], { cwd: client });
  }, 300_000);

  it("passes its tests against the real sidecar, and reads what this transport sends", async () => {
    const env = { FERMATA_GOLDEN: golden.address };
    const { code, stdout, stderr } = await run("go", ["test", "-count=1", ...race, "-json", "./..."], {
      cwd: client,
      env,
    });
    const events = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map(toEvent);
    const named = (action: string) => events.filter((event) => event.Action === action && event.Test !== undefined);
    expect({ code, failed: named("fail").map(({ Test }) => Test) }, outputOf(events) + stderr).toEqual({
      code: 0,
      failed: [],
    });
    expect(named("pass").length).toBeGreaterThan(250);
    if (onCi) expect(named("skip").map(({ Test }) => Test)).toEqual([]);
  }, 900_000);

  it("works from an empty module by a replacement, as its README says", async () => {
    const module = join(folder.path, "host");
    mkdirSync(module);
    await runOk("go", ["mod", "init", "host.example"], { cwd: module });
    const replacement = `fermata.dev/go=${client}`;
    await runOk("go", ["mod", "edit", "-require=fermata.dev/go@v0.0.0", `-replace=${replacement}`], { cwd: module });
    writeFileSync(join(module, "main.go"), program);
    await runOk("go", ["mod", "tidy"], { cwd: module });
    expect(await runOk("go", ["run", ".", golden.address], { cwd: module })).toBe(
      "FORCED_TOOL_UNAVAILABLE send_mail\n",
    );
    expect(readFileSync(join(module, "go.sum"), "utf8")).not.toContain("honnef.co"); // a maker's tools are no user's
  }, 300_000);
});

interface Event {
  readonly Action: string;
  readonly Test?: string;
  readonly Output?: string;
}

function toEvent(line: string): Event {
  return JSON.parse(line) as Event; // go test writes it
}

/** What the failed tests printed. */
function outputOf(events: readonly Event[]): string {
  const failed = new Set(events.filter(({ Action }) => Action === "fail").map(({ Test }) => Test));
  return events
    .filter(({ Test, Output }) => Output !== undefined && failed.has(Test))
    .map(({ Output }) => Output)
    .join("");
}

const program = `package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	fermata "fermata.dev/go"
)

func main() {
	client, err := fermata.New(os.Args[1])
	if err != nil {
		panic(err)
	}
	defer client.Close()
	_, err = client.Resolve(context.Background(), fermata.Turn{Force: "FORCED_TOOL_UNAVAILABLE/NOT_REGISTERED plain"})
	var forced *fermata.ForcedToolUnavailable
	if errors.As(err, &forced) {
		fmt.Println(forced.Reason, forced.Facts.GetForcedTool())
	}
}
`;
