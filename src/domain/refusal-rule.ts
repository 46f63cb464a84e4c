import { type DescEnum, type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { cause_rule, RefusalSchema, type Remedy, type Rule, rule } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import type { Leaf, LeafCase } from "./outcome.ts";

/** What the taxonomy says of one leaf, or of one cause of it. Read from the proto's options; there is no second table. */
export interface LeafRule {
  /** ErrorInfo.reason: the member's name in upper case. */
  readonly reason: string;
  /** The cause without its prefix; undefined where the leaf has none. */
  readonly cause: string | undefined;
  readonly code: number;
  /** Nearest first. */
  readonly parents: readonly string[];
  readonly remedy: Remedy;
  readonly text: string;
}

/** One member of the taxonomy: its message, and the enum that tells its causes apart. */
export interface LeafDescription {
  readonly leafCase: LeafCase;
  readonly reason: string;
  readonly field: DescField & { readonly fieldKind: "message" };
  readonly message: DescMessage;
  readonly cause: (DescField & { readonly fieldKind: "enum" }) | undefined;
}

/** Every leaf, in the order of the proto. */
export const leaves: readonly LeafDescription[] = RefusalSchema.fields
  .filter((field) => field.oneof?.name === "leaf" && field.fieldKind === "message")
  .map((field) => describe(field as DescField & { fieldKind: "message" }));

const byCase: ReadonlyMap<string, LeafDescription> = new Map(leaves.map((leaf) => [leaf.leafCase, leaf]));
const byReason: ReadonlyMap<string, LeafDescription> = new Map(leaves.map((leaf) => [leaf.reason, leaf]));

/** The description of a leaf; its member of the oneof. */
export function describeLeaf(leaf: Leaf): LeafDescription {
  const description = byCase.get(leaf.case);
  if (description === undefined) throw new Error(`the taxonomy has no leaf ${leaf.case}`);
  return description;
}

/** The rule that holds for this refusal: the leaf's, overridden by its cause's. */
export function ruleFor(leaf: Leaf): LeafRule {
  const description = describeLeaf(leaf);
  return ruleOfCause(description, causeNumber(description, leaf));
}

/** The rule of a leaf with this cause's number; 0 for a leaf without causes. */
export function ruleOfCause(description: LeafDescription, number: number): LeafRule {
  const own = getOption(description.field, rule);
  const value = description.cause?.enum.values.find((candidate) => candidate.number === number);
  const override = value !== undefined && hasOption(value, cause_rule) ? getOption(value, cause_rule) : undefined;
  return {
    reason: description.reason,
    cause: value === undefined ? undefined : withoutPrefix(description.cause?.enum, value.name),
    code: override?.code || own.code,
    parents: parentsOf(own),
    remedy: override?.remedy || own.remedy,
    text: override?.text || own.text,
  };
}

/** An enum value's name without the enum's prefix: `CAUSE_CORRUPT` is `CORRUPT`. */
export function withoutPrefix(desc: DescEnum | undefined, name: string): string {
  const prefix = desc?.sharedPrefix?.toUpperCase() ?? "";
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function parentsOf(own: Rule): readonly string[] {
  if (own.parent === "") return [];
  const parent = byReason.get(own.parent);
  return parent === undefined ? [own.parent] : [own.parent, ...parentsOf(getOption(parent.field, rule))];
}

function causeNumber(description: LeafDescription, leaf: Leaf): number {
  if (description.cause === undefined) return 0;
  return reflect(description.message, leaf.value).get(description.cause) as number;
}

function describe(field: DescField & { fieldKind: "message" }): LeafDescription {
  const cause = field.message.fields.find(
    (candidate) => candidate.fieldKind === "enum" && candidate.enum.parent === field.message,
  );
  return {
    leafCase: field.localName as LeafCase,
    reason: field.name.toUpperCase(),
    field,
    message: field.message,
    cause: cause as (DescField & { fieldKind: "enum" }) | undefined,
  };
}
