import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { parseOperatorStages } from "../../../src/domain/palette/operator-stages.ts";
import {
  type ResolveRequest,
  ResolveRequestSchema,
  type ResolveResponse,
} from "../../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { resolve } from "../../../src/rpc/palette/resolve.ts";

const operator = parseOperatorStages([]);
if (operator.kind === "invalid") throw new Error("no stages are no fault");
const run = resolve({ registryOf: () => undefined, operatorStages: () => operator.value });

/** As many stages of 256 globs as asked for, over as many tools; `*x<n>*` removes every tool whose number ends in it. */
function requestOf(tools: number, stages: number): ResolveRequest {
  const globs = Array.from({ length: 256 }, (_unused, index) => `${"*a".repeat(60)}${index}x`);
  return create(ResolveRequestSchema, {
    registered: {
      case: "registry",
      value: { tools: Array.from({ length: tools }, (_unused, index) => ({ name: `${"a".repeat(110)}_${index}` })) },
    },
    stages: Array.from({ length: stages }, (_unused, index) => ({
      name: `s${index}`,
      rule: { case: "deny" as const, value: { globs: [...globs.slice(1), `*_${index}`] } },
    })),
  });
}

function offeredBy(outcome: Outcome<ResolveResponse>): number {
  if (outcome.kind === "refusal") throw new Error(outcome.leaf.case);
  const offer = outcome.value.palette?.offer;
  return offer?.case === "explicit" ? offer.value.names.length : -1;
}

describe("stages whose globs take long", () => {
  it("decide as fast ones do, and let others run meanwhile", async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const call = { deadline: Date.now() + 60_000, signal: new AbortController().signal };
    const outcome = await run(requestOf(1_000, 2), call);
    clearInterval(timer);
    expect(offeredBy(outcome)).toBe(998);
    expect(turns).toBeGreaterThan(5);
  });

  it("are given up when the call has ended", async () => {
    const ended = new AbortController();
    const running = run(requestOf(10_000, 32), { deadline: Date.now() + 60_000, signal: ended.signal });
    ended.abort();
    await expect(running).rejects.toThrow();
  });
});
