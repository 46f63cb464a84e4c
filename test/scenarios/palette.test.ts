import { describe, expect, it } from "vitest";
import { protocols, readScenarios, runScenario } from "./run.ts";

const scenarios = readScenarios("palette.json");
const rules = readScenarios("palette-rules.json");

describe("the palette on the wire", () => {
  it("has all its scenarios", () => expect(scenarios).toHaveLength(45));

  it.each([...scenarios, ...rules])("$name: $why", async (scenario) => {
    const [grpc, ...others] = await Promise.all(
      protocols.map((protocol) =>
        runScenario({ ...scenario, config: { store: "none", ...scenario.config } }, protocol),
      ),
    );
    for (const other of others) expect(other).toEqual(grpc); // the status bytes of every refusal
  });
});
