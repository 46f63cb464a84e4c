import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { DeclineReason, type SkillRow, SkillRowSchema } from "../../../src/gen/fermata/palette/v1/palette_pb.ts";
import type { SkillStore } from "../../../src/rpc/palette/retrieval.ts";
import { call, paletteService, request } from "./palette-calls.ts";

const procedural = { case: "query", value: { tenantId: "t", text: "mail" } } as const;

function asked(search: SkillStore["search"], deadline = Date.now() + 1_000) {
  const reported: unknown[] = [];
  const skillStore = { search, clock: Date.now, report: (thrown: unknown) => reported.push(thrown) };
  const outcome = paletteService({ skillStore }).resolve(request(["mail", "fax"], { procedural }), call(deadline));
  return { outcome, reported };
}

class StoreFault extends Error {
  override name = "StoreFault";
}

const failed = (faultType: string) => ({
  value: {
    palette: { offer: { case: "full" } },
    routing: { case: "declined", value: { reason: DeclineReason.RETRIEVAL_FAILED, faultType } },
    decision: { certifiesCutover: true },
  },
});

describe("the sidecar's own retrieval", () => {
  it("routes by what was found, with ten rows asked for by default", async () => {
    const limits: number[] = [];
    const { outcome } = asked(async ({ limit }) => {
      limits.push(limit);
      return [create(SkillRowSchema, { actionTool: "mail" })];
    });
    expect(await outcome).toMatchObject({ value: { routing: { case: "routed", value: { names: ["mail"] } } } });
    expect(limits).toEqual([10]);
  });

  it.each<{ about: string; thrown: unknown; faultType: string }>([
    { about: "a fault", thrown: new StoreFault("secret"), faultType: "StoreFault" },
    { about: "a bug", thrown: new TypeError("x is undefined"), faultType: "TypeError" },
    { about: "a string", thrown: "secret", faultType: "string" },
    { about: "nothing", thrown: undefined, faultType: "undefined" },
    { about: "an error without a name", thrown: Object.assign(new Error(), { name: 5 }), faultType: "object" },
    { about: "null", thrown: null, faultType: "object" },
    { about: "a class of great length", thrown: named("x".repeat(999)), faultType: `${"x".repeat(125)}…` },
  ])("that throws $about declines, names its class only and reports it", async ({ thrown, faultType }) => {
    const rejecting = asked(() => Promise.reject(thrown));
    const throwing = asked(() => {
      throw thrown;
    });
    for (const { outcome, reported } of [rejecting, throwing]) {
      expect(await outcome).toMatchObject(failed(faultType));
      expect(reported).toEqual([thrown]);
    }
  });

  it("that outlives its share of the deadline is a retrieval fault, and is told to stop", async () => {
    const signals: AbortSignal[] = [];
    const never = (_: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<SkillRow[]>(() => {});
    };
    const deadline = Date.now() + 200;
    const { outcome } = asked(never, deadline);
    expect(await outcome).toMatchObject(failed("DeadlineExceeded"));
    expect(Date.now()).toBeLessThan(deadline);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("that stops when it is told to is still named DeadlineExceeded", async () => {
    const obedient = (_: unknown, signal: AbortSignal) =>
      new Promise<SkillRow[]>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { outcome } = asked(obedient, Date.now() + 50);
    expect(await outcome).toMatchObject(failed("DeadlineExceeded"));
  });
});

function named(name: string): Error {
  const thrown = new Error("secret");
  thrown.name = name;
  return thrown;
}
