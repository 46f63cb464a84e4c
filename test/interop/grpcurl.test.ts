import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptedStatuses, goldenRefusals, nameOf } from "../golden/golden-status.ts";
import { startGoldenServer, type TestServer } from "../transport/servers.ts";
import { built, describeWith, run, runOk } from "./programs.ts";

const folder = join(built, "grpcurl-1.9.4");
const grpcurl = join(folder, "grpcurl");
const path = "fermata.palette.v1.PaletteService/Resolve";

describeWith("go", ["version"], () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startGoldenServer(goldenRefusals());
    await install();
  }, 300_000);
  afterAll(() => server.stop());

  it.each([
    { place: "TCP", target: () => [server.address] },
    { place: "a Unix socket", target: () => ["-unix", server.socket] },
  ])("has grpcurl decode the details of every leaf by reflection over $place", async ({ target }) => {
    for (const entry of onePerLeaf()) {
      const request = JSON.stringify({ forcedTool: nameOf(entry) });
      const { stderr } = await run(grpcurl, ["-plaintext", "-format-error", "-d", request, ...target(), path]);
      const { code, message, details } = JSON.parse(stderr);
      expect({ code, message }, nameOf(entry)).toEqual({ code: entry.code, message: entry.text });
      expect(details.map((detail: Detail) => detail["@type"].replace("type.googleapis.com/", ""))).toEqual(
        entry.details,
      );
      expect(details[0]).toMatchObject({ domain: "fermata", reason: entry.leaf, metadata: entry.metadata });
      expect(details[1]).toEqual({ "@type": "type.googleapis.com/fermata.refusal.v1.Refusal", ...entry.facts });
    }
  });

  it("has grpcurl list and describe the service", async () => {
    const listed = await runOk(grpcurl, ["-plaintext", server.address, "list"]);
    expect(listed.split("\n")).toContain("fermata.palette.v1.PaletteService");
    const described = await runOk(grpcurl, ["-plaintext", server.address, "describe", "fermata.refusal.v1.Refusal"]);
    expect(described).toContain("forced_tool_unavailable = 1");
  });
});

interface Detail {
  readonly "@type": string;
}

function onePerLeaf() {
  const plain = acceptedStatuses().filter(({ variant }) => variant === "plain");
  return [...new Map(plain.map((entry) => [entry.leaf, entry])).values()];
}

async function install(): Promise<void> {
  if (existsSync(grpcurl)) return;
  await runOk("go", ["install", "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4"], { env: { GOBIN: folder } });
}
