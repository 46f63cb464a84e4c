import { describe, expect, it } from "vitest";
import { protocols, readScenarios, runScenario } from "./run.ts";

const scenarios = readScenarios("conversation.json");

/** Scenarios with a call that is not built yet; each goes when its RPC comes. */
const notBuilt = new Set(
  scenarios
    .filter(({ steps }) =>
      steps.some(({ rpc }) => /\/(Freeze|Thaw|ListFreezes|GetDrain|WatchDrain|Discard|Erase)$/.test(rpc)),
    )
    .map(({ name }) => name),
);

describe("conversations on the wire", () => {
  it("has all its scenarios", () => expect(scenarios).toHaveLength(44));

  it.each(scenarios.filter(({ name }) => !notBuilt.has(name)))("$name: $why", async (scenario) => {
    const [grpc, ...others] = await Promise.all(protocols.map((protocol) => runScenario(scenario, protocol)));
    for (const other of others) expect(other.length).toEqual(grpc?.length);
  });
});
