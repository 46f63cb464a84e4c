import { readFileSync } from "node:fs";
import { getOption } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { leaves, ruleOfCause } from "../../src/domain/refusal-rule.ts";
import { cause_rule, RemedySchema, rule } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";

const page = readFileSync(new URL("../../docs/refusals.md", import.meta.url), "utf8");

/** The section of a heading, up to the next one of its level or above. */
function sectionOf(heading: string): string {
  const level = heading.slice(0, heading.indexOf(" "));
  const from = page.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`docs/refusals.md has no "${heading}"`);
  const rest = page.slice(from + heading.length + 2);
  const next = rest.search(new RegExp(`^#{1,${level.length}} `, "m"));
  return next < 0 ? rest : rest.slice(0, next);
}

describe("docs/refusals.md", () => {
  it.each(leaves)("tells an operator who searches for $reason what to do", ({ reason, field, message }) => {
    const { code, remedy, text, advice, fixedBy } = getOption(field, rule);
    const section = sectionOf(`### ${reason}`);
    for (const words of [`(${code})`, RemedySchema.value[remedy]?.name.slice(7), text, advice, fixedBy]) {
      expect(section).toContain(words);
    }
    for (const { name } of message.fields) expect(section).toMatch(new RegExp(`\\| \`${name}\` \\| \\S`));
    expect(page).toContain(`| [${reason}](#${reason.toLowerCase()}) |`);
  });

  it.each(leaves)("tells what each cause of $reason changes", (leaf) => {
    for (const value of leaf.cause?.enum.values.filter(({ number }) => number !== 0) ?? []) {
      const { cause } = ruleOfCause(leaf, value.number);
      const own = getOption(value, cause_rule);
      const section = sectionOf(`#### ${leaf.reason} / ${cause}`);
      for (const words of [own.text, own.advice, own.fixedBy]) expect(section).toContain(words);
      if (own.code !== 0) expect(section).toContain(`(${own.code})`);
    }
  });

  it("says what each remedy means", () => {
    for (const { name, number } of RemedySchema.values) {
      if (number !== 0) expect(sectionOf("## Remedies")).toMatch(new RegExp(`\\| ${name.slice(7)} \\| \\S`));
    }
  });

  it.each(["UNIMPLEMENTED", "RESOURCE_EXHAUSTED", "INTERNAL", "DEADLINE_EXCEEDED", "CANCELLED"])(
    "says when a library sends a bare %s",
    (code) => expect(sectionOf("## Statuses without a reason")).toContain(`| ${code} (`),
  );

  it("says in which order leaves are checked", () => {
    expect(sectionOf("## Which one comes first")).toMatch(
      /UNAUTHENTICATED.*CALLER_DENIED.*SHUTTING_DOWN.*OVERLOADED.*STORE_NOT_CONFIGURED.*INVALID_REQUEST/,
    );
  });
});
