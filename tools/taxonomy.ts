import type { DescEnum, DescExtension, DescField, DescFile, DescMessage } from "@bufbuild/protobuf";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { getComments } from "@bufbuild/protoplugin";

/** The taxonomy as the proto writes it: rules from the options, words from the comments. */
export interface Taxonomy {
  /** The comment of Refusal, a paragraph each: what it is, the order of checks, the limits. */
  readonly about: readonly string[];
  readonly leaves: readonly TaxonomyLeaf[];
  readonly remedies: readonly { readonly name: string; readonly about: string }[];
}

/** One member of Refusal.leaf. */
export interface TaxonomyLeaf {
  readonly number: number;
  readonly reason: string;
  readonly about: string;
  readonly rule: TaxonomyRule;
  readonly causes: readonly TaxonomyCause[];
  readonly facts: readonly { readonly name: string; readonly about: string }[];
}

/** One cause of a leaf, with only what it overrides. */
export interface TaxonomyCause {
  readonly name: string;
  readonly about: string;
  readonly rule: TaxonomyRule;
}

/** A Rule option; what is not set is 0 or empty. */
export interface TaxonomyRule {
  readonly code: number;
  readonly parent: string;
  readonly remedy: string;
  readonly text: string;
  readonly advice: string;
  readonly fixedBy: string;
}

/** Reads the taxonomy from the descriptor of refusal.proto, which must come with its source info. */
export function readTaxonomy(file: DescFile): Taxonomy {
  const refusal = named(file.messages, "Refusal");
  const remedy = named(file.enums, "Remedy");
  return {
    about: paragraphs(commentOf(refusal)),
    leaves: refusal.fields.filter(({ oneof }) => oneof?.name === "leaf").map((field) => readLeaf(file, field)),
    remedies: sentValues(remedy).map((value) => ({ name: shortName(remedy, value.name), about: line(value) })),
  };
}

function readLeaf(file: DescFile, field: DescField): TaxonomyLeaf {
  if (field.fieldKind !== "message") throw new Error(`${field.name} is no message`);
  const cause = field.message.nestedEnums[0];
  return {
    number: field.number,
    reason: field.name.toUpperCase(),
    about: line(field),
    rule: readRule(file, field),
    causes: cause === undefined ? [] : sentValues(cause).map((value) => readCause(file, cause, value)),
    facts: field.message.fields.map((fact) => ({ name: fact.name, about: line(fact) })),
  };
}

function readCause(file: DescFile, cause: DescEnum, value: DescEnum["values"][number]): TaxonomyCause {
  return { name: shortName(cause, value.name), about: line(value), rule: readRule(file, value) };
}

function readRule(file: DescFile, desc: DescField | DescEnum["values"][number]): TaxonomyRule {
  const extension = named(file.extensions, desc.kind === "field" ? "rule" : "cause_rule");
  const message = ruleMessage(extension);
  const rule = reflect(message, hasOption(desc, extension) ? (getOption(desc, extension) as never) : undefined);
  const value = (name: string) => rule.get(named(message.fields, name));
  return {
    code: Number(value("code")),
    parent: String(value("parent")),
    remedy: remedyName(message, Number(value("remedy"))),
    text: String(value("text")),
    advice: String(value("advice")),
    fixedBy: String(value("fixed_by")),
  };
}

function ruleMessage(extension: DescExtension): DescMessage {
  if (extension.fieldKind !== "message") throw new Error(`${extension.name} is no message`);
  return extension.message;
}

function remedyName(rule: DescMessage, number: number): string {
  const field = named(rule.fields, "remedy");
  if (number === 0 || field.enum === undefined) return "";
  return shortName(field.enum, field.enum.value[number]?.name ?? "");
}

function sentValues(desc: DescEnum): DescEnum["values"] {
  return desc.values.filter(({ number }) => number !== 0);
}

function shortName(desc: DescEnum, name: string): string {
  return name.slice((desc.sharedPrefix ?? "").length);
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const found = all.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`refusal.proto has no ${name}`);
  return found;
}

function line(desc: Parameters<typeof getComments>[0]): string {
  return paragraphs(commentOf(desc)).join(" ");
}

function commentOf(desc: Parameters<typeof getComments>[0]): string {
  return getComments(desc).leading ?? "";
}

function paragraphs(comment: string): string[] {
  return comment.split(/\n\s*\n/).map((part) => part.replace(/\s+/g, " ").trim());
}
