import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { legacyKeyOf, readLegacyKey, symfonic9 } from "../../../src/domain/conversation/legacy-key.ts";
import { type KeyRules, nameThread } from "../../../src/domain/conversation/thread-key.ts";
import { AmbiguousThreadKey_Direction, SessionIdentity_Cause } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";

const rules: KeyRules = { separator: ":", derivations: [symfonic9] };
const typed = "fermata.conversation.v1.ThreadIdentity" as const;
const { EMPTY, TOO_LONG, FORBIDDEN_CHARACTER, RESERVED_VALUE, NOT_DERIVABLE } = SessionIdentity_Cause;

interface Named {
  readonly tenantId?: string;
  readonly subTenantId?: string;
  readonly sessionId?: string;
}

const name = ({ tenantId = "", sessionId = "", subTenantId }: Named, by = rules) =>
  nameThread({ $typeName: typed, tenantId, sessionId, ...(subTenantId === undefined ? {} : { subTenantId }) }, by);

const keyOf = (found: Named, by = rules): string => {
  const named = name(found, by);
  return named.kind === "ok" ? named.value.key : named.leaf.case;
};

describe("an identity", () => {
  it.each([
    { tenantId: "acme", sessionId: "s1", key: "acme:_:s1" },
    { tenantId: "acme", subTenantId: "eu", sessionId: "s1", key: "acme:eu:s1" },
    { tenantId: "acme", sessionId: "a:b%c", key: "acme:_:a%3Ab%25c" },
    { tenantId: "acme", sessionId: "%3A", key: "acme:_:%253A" },
    { tenantId: "_", sessionId: "_", key: "_:_:_" },
    { tenantId: "a%b", subTenantId: "%", sessionId: "s", key: "a%b:%:s" },
    { tenantId: "é😀", sessionId: "ключ", key: "é😀:_:ключ" },
    { tenantId: "a".repeat(128), sessionId: "s", key: `${"a".repeat(128)}:_:s` },
  ])("derives $key", ({ key, ...found }) => {
    expect(keyOf(found)).toBe(key);
  });

  it.each([
    { separator: "/", sessionId: "a/b:c", key: "acme/_/a%2Fb:c" },
    { separator: "|", sessionId: "a|b", key: "acme|_|a%7Cb" },
    { separator: " ", sessionId: "a b", key: "acme _ a%20b" },
  ])("escapes the separator $separator that is configured", ({ separator, sessionId, key }) => {
    expect(keyOf({ tenantId: "acme", sessionId }, { separator, derivations: [] })).toBe(key);
  });

  it.each([
    { found: {}, field: "tenant_id", cause: EMPTY },
    { found: { sessionId: "s" }, field: "tenant_id", cause: EMPTY },
    { found: { tenantId: "a" }, field: "session_id", cause: EMPTY },
    { found: { tenantId: "a", subTenantId: "", sessionId: "s" }, field: "sub_tenant_id", cause: EMPTY },
    { found: { tenantId: "a", subTenantId: "_", sessionId: "" }, field: "sub_tenant_id", cause: RESERVED_VALUE },
    { found: { tenantId: "a".repeat(129), sessionId: "s" }, field: "tenant_id", cause: TOO_LONG },
    { found: { tenantId: "é".repeat(65), sessionId: "s" }, field: "tenant_id", cause: TOO_LONG },
    { found: { tenantId: "a", sessionId: `${"x".repeat(128)} ` }, field: "session_id", cause: TOO_LONG },
    { found: { tenantId: " a", sessionId: "s" }, field: "tenant_id", cause: FORBIDDEN_CHARACTER },
    { found: { tenantId: "a\u00a0", sessionId: "s" }, field: "tenant_id", cause: FORBIDDEN_CHARACTER },
    { found: { tenantId: "a", sessionId: "\t" }, field: "session_id", cause: FORBIDDEN_CHARACTER },
    { found: { tenantId: "a", sessionId: "a\u0085b" }, field: "session_id", cause: FORBIDDEN_CHARACTER },
    { found: { tenantId: "cafe\u0301", sessionId: "s" }, field: "tenant_id", cause: FORBIDDEN_CHARACTER },
    { found: { tenantId: "a\ud800", sessionId: "s" }, field: "tenant_id", cause: FORBIDDEN_CHARACTER },
    { found: { tenantId: "", subTenantId: "_", sessionId: " " }, field: "tenant_id", cause: EMPTY },
    { found: { tenantId: "a:b", sessionId: " " }, field: "session_id", cause: FORBIDDEN_CHARACTER },
  ])("is refused for $field of $found", ({ found, field, cause }) => {
    expect(name(found)).toMatchObject({ leaf: { case: "sessionIdentity", value: { field, cause } } });
  });

  it.each([
    { found: { tenantId: "a:b", subTenantId: "c:d", sessionId: "s" }, field: "tenant_id", separatorsFound: 1 },
    { found: { tenantId: "a", subTenantId: ":c:", sessionId: "s" }, field: "sub_tenant_id", separatorsFound: 2 },
  ])("mints no key for $found", ({ found, field, separatorsFound }) => {
    const direction = AmbiguousThreadKey_Direction.MINT;
    expect(name(found)).toMatchObject({
      leaf: { case: "ambiguousThreadKey", value: { direction, field, separatorsFound, resumable: false } },
    });
  });

  it("never shares its key with another, and its key holds two separators", () => {
    const piece = fc.constantFrom(":", "%", "%3A", "_", "a", "b", "1", "%25", "é");
    const value = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    const who = fc.record({ tenantId: value, sessionId: value, subTenantId: fc.option(value, { nil: undefined }) });
    const same = (one: Named, other: Named) =>
      one.tenantId === other.tenantId && one.subTenantId === other.subTenantId && one.sessionId === other.sessionId;
    fc.assert(
      fc.property(who, who, ({ subTenantId: sub1, ...one }, { subTenantId: sub2, ...other }) => {
        const [first, second] = [
          { ...one, ...(sub1 && { subTenantId: sub1 }) },
          { ...other, ...(sub2 && { subTenantId: sub2 }) },
        ];
        const [a, b] = [name(first), name(second)];
        if (a.kind !== "ok" || b.kind !== "ok") return;
        expect(a.value.key === b.value.key).toBe(same(first, second));
        expect(a.value.key.split(":")).toHaveLength(3);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe("a stored key without identity", () => {
  const read = (key: string, derivation = symfonic9) => readLegacyKey(key, derivation, ":");
  const two = { name: "acme/1", segments: ["tenant", "session"], separators: 1 } as const;

  it.each([
    { key: "corp:_:s9", positional: { tenantId: "corp", subTenantId: "", sessionId: "s9" } },
    { key: "corp:eu:s9", positional: { tenantId: "corp", subTenantId: "eu", sessionId: "s9" } },
  ])("$key is whole", ({ key, positional }) => {
    expect(read(key)).toMatchObject({ value: { quarantined: false, positional } });
  });

  it.each([
    { key: "corp:_:2024:05:01", separatorsFound: 4, sessionId: "2024:05:01" },
    { key: "corp:_:a%3Ab", separatorsFound: 2, sessionId: "a%3Ab" },
    { key: "corp:_:50%", separatorsFound: 2, sessionId: "50%" },
    { key: "a:b:c:d", separatorsFound: 3, sessionId: "c:d" },
    { key: ":::", separatorsFound: 3, sessionId: ":" },
  ])(
    "$key is quarantined: more separators than its rule puts there, or a percent sign",
    ({ key, separatorsFound, sessionId }) => {
      expect(read(key)).toMatchObject({
        value: { quarantined: true, separatorsFound, separatorsExpected: 2, positional: { sessionId } },
      });
    },
  );

  it.each(["", "just-a-thread", "a:b", "::", "a::s", ":_:s", "a:_:", `${"x".repeat(129)}:_:s`, "a:_: s"])(
    "%j can't be derived",
    (key) => {
      expect(read(key)).toMatchObject({ leaf: { case: "sessionIdentity", value: { cause: NOT_DERIVABLE } } });
    },
  );

  it("is read by its own derivation's number of separators", () => {
    expect(read("corp:s9", two)).toMatchObject({
      value: { quarantined: false, positional: { tenantId: "corp", sessionId: "s9" } },
    });
    expect(read("corp:_:s9", two)).toMatchObject({
      value: { quarantined: true, separatorsFound: 2, separatorsExpected: 1 },
    });
  });

  it("is what the derivation would have made of an identity, where it can say it", () => {
    const identity = { tenantId: "corp", subTenantId: "", sessionId: "2024:05:01" };
    expect(legacyKeyOf(identity, symfonic9, ":")).toBe("corp:_:2024:05:01");
    expect(legacyKeyOf(identity, two, ":")).toBe("corp:2024:05:01");
    expect(legacyKeyOf({ ...identity, subTenantId: "eu" }, two, ":")).toBeUndefined();
  });
});
