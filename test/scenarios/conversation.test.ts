import { describe, expect, it } from "vitest";
import { protocols, readScenarios, runScenario } from "./run.ts";

const scenarios = readScenarios("conversation.json");
const rules = readScenarios("conversation-rules.json");

describe("conversations on the wire", () => {
  it("has all its scenarios", () => expect(scenarios).toHaveLength(44));

  it.each([...scenarios, ...rules])("$name: $why", async (scenario) => {
    const [grpc, ...others] = await Promise.all(protocols.map((protocol) => runScenario(scenario, protocol)));
    for (const other of others) expect(other.length).toEqual(grpc?.length);
  });
});
