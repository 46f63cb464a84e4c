import { getOption } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { leaves, ruleOfCause } from "../../src/domain/refusal-rule.ts";
import { cause_rule, RefusalSchema, RemedySchema, rule } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";

/** The tables of design/refusals.md, line by line: leaf or leaf/cause, number, code, parents, remedy. */
const designed = [
  ["FORCED_TOOL_UNAVAILABLE", 1, 9, "CONTRACT_VIOLATION", "ALIGN_COMPOSITION"],
  ["UNSAFE_BOUNDARY", 2, 9, "CONVERSATION", "REPLAY_FROM_BOUNDARY"],
  ["UNSAFE_BOUNDARY/NO_TESTED_BOUNDARY", 2, 9, "CONVERSATION", "DECLARE_FORMAT"],
  ["HORIZON_EXPIRED", 3, 9, "CONVERSATION", "CONTACT_SUPPORT_ROUTE"],
  ["ISSUANCE_FROZEN", 4, 9, "CONVERSATION", "WAIT_FOR_THAW"],
  ["CHECKPOINT_FORMAT/FUTURE_VERSION", 5, 9, "CONVERSATION", "UPGRADE_SIDECAR"],
  ["CHECKPOINT_FORMAT/CORRUPT", 5, 9, "CONVERSATION", "RESTORE_OR_ABANDON"],
  ["CHECKPOINT_FORMAT/RESERVED_KEY_OCCUPIED", 5, 9, "CONVERSATION", "OPERATOR_REPAIR"],
  ["CHECKPOINT_FORMAT/UNRECOGNISED", 5, 9, "CONVERSATION", "DECLARE_FORMAT"],
  ["CHECKPOINT_FORMAT/UNDECLARED", 5, 9, "CONVERSATION", "DECLARE_FORMAT"],
  ["SESSION_IDENTITY", 6, 3, "CONVERSATION", "FIX_REQUEST"],
  ["AMBIGUOUS_THREAD_KEY/MINT", 7, 3, "SESSION_IDENTITY,CONVERSATION", "FIX_REQUEST"],
  ["AMBIGUOUS_THREAD_KEY/ATTRIBUTE", 7, 9, "SESSION_IDENTITY,CONVERSATION", "OPERATOR_REPAIR"],
  ["TRANSCRIPT_UNAVAILABLE", 8, 9, "CONVERSATION", "CONFIGURE_SOURCE"],
  ["HEAD_CONFLICT", 9, 10, "CONVERSATION", "RESUME_FROM_ACTUAL_HEAD"],
  ["FORCE_UNSUPPORTED_BY_TARGET", 10, 9, "CONTRACT_VIOLATION", "CHANGE_TARGET"],
  ["OFFER_UNSUPPORTED_BY_TARGET", 11, 9, "CONTRACT_VIOLATION", "CHANGE_TARGET"],
  ["INVALID_REQUEST", 21, 3, "", "FIX_REQUEST"],
  ["THREAD_NOT_FOUND", 22, 5, "", "START_NEW"],
  ["CHECKPOINT_NOT_FOUND", 23, 5, "", "FIX_REQUEST"],
  ["FREEZE_NOT_FOUND", 24, 5, "", "FIX_REQUEST"],
  ["REGISTRY_UNKNOWN", 25, 5, "", "SEND_REGISTRY"],
  ["IDEMPOTENCY_KEY_REUSED", 26, 6, "", "FIX_REQUEST"],
  ["UNAUTHENTICATED", 27, 16, "", "USE_CREDENTIAL"],
  ["CALLER_DENIED", 28, 7, "", "USE_CREDENTIAL"],
  ["OVERLOADED", 29, 8, "", "RETRY_LATER"],
  ["DEADLINE_EXCEEDED", 30, 4, "", "RETRY_LATER"],
  ["FREEZE_PENDING", 31, 14, "", "RETRY_LATER"],
  ["STORE_UNAVAILABLE", 32, 14, "", "RETRY_LATER"],
  ["STORE_NOT_CONFIGURED", 33, 9, "", "CONFIGURE_STORE"],
  ["SHUTTING_DOWN", 34, 14, "", "RETRY_LATER"],
  ["INTERNAL", 35, 13, "", "REPORT"],
] as const;

/** Each leaf with each cause that can be sent; a leaf without causes once. */
const endings = leaves.flatMap((leaf) => {
  const numbers = leaf.cause?.enum.values.map(({ number }) => number).filter((number) => number !== 0) ?? [0];
  return numbers.map((number) => {
    const found = ruleOfCause(leaf, number);
    return { name: found.cause === undefined ? leaf.reason : `${leaf.reason}/${found.cause}`, leaf, rule: found };
  });
});

describe("the taxonomy", () => {
  it.each(endings)("gives $name the code, parents and remedy of the design", ({ name, leaf, rule: found }) => {
    const row = designed.find(([key]) => key === name) ?? designed.find(([key]) => key === leaf.reason);
    const remedy = RemedySchema.value[found.remedy]?.name.replace("REMEDY_", "");
    expect([leaf.field.number, found.code, found.parents.join(","), remedy]).toEqual(row?.slice(1));
  });

  it("has every row of the design, and no leaf beside them", () => {
    const named = new Set(designed.map(([key]) => key.split("/")[0]));
    expect(new Set(leaves.map(({ reason }) => reason))).toEqual(named);
    const known = new Set([...endings.map(({ name }) => name), ...named]);
    expect(designed.map(([key]) => key).filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(endings)("says of $name what stands in the way and the way out, in few bytes", ({ rule: { text } }) => {
    expect(text).toMatch(/[:,] \S/);
    expect(text).not.toMatch(/[\n\r]|error|Error/);
    expect(withoutHoles(text).length).toBeLessThanOrEqual(128);
  });

  it.each(endings)(
    "fills the holes of $name with singular facts that have no presence of their own",
    ({ leaf, rule: { text } }) => {
      for (const hole of holesOf(text)) {
        const fact = leaf.message.fields.find(({ name }) => name === hole);
        expect(fact?.fieldKind, hole).toMatch(/scalar|message/);
        expect(fact?.proto.proto3Optional, hole).toBe(false);
        if (fact?.fieldKind === "message") expect(fact.message.typeName).toBe("google.protobuf.Duration");
      }
    },
  );

  it("has another text for every ending", () => {
    const texts = endings.map(({ rule: { text } }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(leaves)("says of $reason what to do and who can do it", ({ field, cause }) => {
    const own = getOption(field, rule);
    expect(own.advice).toMatch(/^\p{Lu}.*\.$/u);
    expect(own.fixedBy).toMatch(/^(the|an) \w/);
    for (const value of cause?.enum.values ?? []) {
      expect(getOption(value, cause_rule).advice).toMatch(/^$|^\p{Lu}.*\.$/u);
      expect(getOption(value, cause_rule).parent).toBe("");
    }
  });

  it("keeps members 1 to 20 for the taxonomy, and the remedy above them all", () => {
    expect(leaves.filter(({ field }) => field.number <= 20).length).toBe(11);
    expect(RefusalSchema.field["remedy"]?.number).toBe(101);
  });
});

function holesOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, hole = ""]) => hole);
}

function withoutHoles(text: string): string {
  return text.replace(/\{\w+\}/g, "");
}
