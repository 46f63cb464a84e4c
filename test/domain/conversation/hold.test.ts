import { describe, expect, it } from "vitest";
import {
  coveringHold,
  type Hold,
  type HoldScope,
  possibleHold,
  scopeName,
} from "../../../src/domain/conversation/hold.ts";

const store: HoldScope = { kind: "store" };
const format: HoldScope = { kind: "format", format: "openai-chat/1" };
const tenant: HoldScope = { kind: "tenant", tenantId: "acme" };
const both: HoldScope = { kind: "tenant_format", tenantId: "acme", format: "openai-chat/1" };

const hold = (scope: HoldScope, createTime: number): Hold => ({
  freezeId: `${scope.kind}@${createTime}`,
  scope,
  createTime,
  freezeTime: createTime,
  epoch: 1,
});

const mine = { tenantId: "acme", format: "openai-chat/1" };

describe("a hold", () => {
  it.each([
    { name: "store", scope: store, covers: [true, true, true, true, true] },
    { name: "format", scope: format, covers: [true, true, false, true, false] },
    { name: "tenant", scope: tenant, covers: [true, false, true, false, false] },
    { name: "tenant and format", scope: both, covers: [true, false, false, false, false] },
  ])("on $name covers its scope and nothing else", ({ scope, covers }) => {
    const issuances = [
      mine,
      { ...mine, tenantId: "umbrella" },
      { ...mine, format: "gemini-contents/1" },
      { ...mine, tenantId: undefined },
      { tenantId: undefined, format: "gemini-contents/1" },
    ];
    expect(issuances.map((issuance) => coveringHold([hold(scope, 1)], issuance) !== undefined)).toEqual(covers);
  });

  it.each([
    { holds: [hold(both, 1), hold(store, 2)], answers: "tenant_format@1" },
    { holds: [hold(tenant, 3), hold(format, 3), hold(store, 3), hold(both, 3)], answers: "store@3" },
    { holds: [hold(both, 3), hold(tenant, 3), hold(format, 3)], answers: "format@3" },
    { holds: [hold(both, 3), hold(tenant, 3)], answers: "tenant@3" },
    { holds: [hold({ kind: "tenant", tenantId: "umbrella" }, 1), hold(store, 2)], answers: "store@2" },
  ])("that is the oldest answers, and at a tie the broadest: $answers", ({ holds, answers }) => {
    expect(coveringHold(holds, mine)?.freezeId).toBe(answers);
    expect(coveringHold(holds.toReversed(), mine)?.freezeId).toBe(answers);
  });

  it("on any tenant might cover what nobody is proved to own", () => {
    const issuance = { tenantId: undefined, format: "openai-chat/1" };
    for (const scope of [tenant, both]) {
      expect(coveringHold([hold(scope, 1)], issuance)).toBeUndefined();
      expect(possibleHold([hold(scope, 1)], issuance)?.scope).toBe(scope);
    }
    expect(possibleHold([hold({ kind: "format", format: "else/1" }, 1)], issuance)).toBeUndefined();
  });

  it("names its scope in the contract's words", () => {
    expect([store, format, tenant, both].map(scopeName)).toEqual([
      "store",
      "format openai-chat/1",
      "tenant acme",
      "tenant acme format openai-chat/1",
    ]);
  });
});
