import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideFreeze, type FreezeWrite, type KnownHold } from "../../../src/domain/conversation/freeze.ts";
import { isWithin, scopeKey } from "../../../src/domain/conversation/freeze-scope.ts";
import { covers, type HoldScope } from "../../../src/domain/conversation/hold.ts";

const name = fc.constantFrom("a", "b", "c");
const scopes: fc.Arbitrary<HoldScope> = fc.oneof(
  fc.constant({ kind: "store" as const }),
  fc.record({ kind: fc.constant("format" as const), format: name }),
  fc.record({ kind: fc.constant("tenant" as const), tenantId: name }),
  fc.record({ kind: fc.constant("tenant_format" as const), tenantId: name, format: name }),
);

describe("a scope", () => {
  it("is within another exactly if that one covers all that it covers", () => {
    fc.assert(
      fc.property(scopes, scopes, (scope, other) => {
        const names = ["a", "b", "c", "elsewhere"];
        const all = names.flatMap((tenantId) => names.map((format) => ({ tenantId, format })));
        const covered = all.filter((one) => covers(scope, one)).every((one) => covers(other, one));
        expect(isWithin(scope, other)).toBe(covered);
      }),
    );
  });

  it("has a key of its own that names no tenant", () => {
    fc.assert(
      fc.property(scopes, scopes, (one, other) => {
        expect(scopeKey(one) === scopeKey(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(scopeKey({ kind: "tenant", tenantId: "acme" })).not.toContain("acme");
  });
});

describe("a freeze", () => {
  const scope: HoldScope = { kind: "tenant", tenantId: "acme" };
  const write: FreezeWrite = { kind: "freeze", freezeId: "f", scope, actor: "op", reason: "r", now: 9 };
  const known = (state: KnownHold["state"]): KnownHold => ({
    scopeKey: scopeKey(scope),
    state,
    freezeTime: state === "closing" ? undefined : 5,
    epoch: state === "closing" ? undefined : 3,
  });
  it.each([
    {
      name: "sets a first hold",
      hold: undefined,
      frozen: false,
      kind: "freeze",
      answer: { state: "frozen", epoch: 8, freezeTime: 9 },
    },
    {
      name: "keeps the epoch of a scope that is frozen",
      hold: undefined,
      frozen: true,
      kind: "freeze",
      answer: { epoch: 7 },
    },
    {
      name: "goes on with one that is closing",
      hold: known("closing"),
      frozen: false,
      kind: "freeze",
      answer: { epoch: 8, freezeTime: 9 },
    },
    {
      name: "answers as before",
      hold: known("frozen"),
      frozen: true,
      kind: "answered",
      answer: { state: "frozen", epoch: 3, freezeTime: 5 },
    },
    {
      name: "tells that it is thawed",
      hold: known("thawed"),
      frozen: false,
      kind: "answered",
      answer: { state: "already_thawed", epoch: 3, freezeTime: 5 },
    },
  ])("$name", ({ hold, frozen, kind, answer }) => {
    expect(decideFreeze(write, { hold, frozen, epoch: 7 })).toMatchObject({
      kind: "ok",
      value: { kind, frozen: answer },
    });
  });

  it.each(["closing", "frozen", "thawed"] as const)("refuses an id that is %s with another scope", (state) => {
    const hold = { ...known(state), scopeKey: scopeKey({ kind: "store" }) };
    expect(decideFreeze(write, { hold, frozen: false, epoch: 7 })).toMatchObject({
      leaf: { case: "idempotencyKeyReused", value: { idempotencyKey: "f" } },
    });
  });
});
