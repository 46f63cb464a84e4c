import { getOption, hasOption } from "@bufbuild/protobuf";
import type { Leaf } from "../domain/outcome.ts";
import { type LeafDescription, leaves, ruleFor, ruleOfCause, withoutPrefix } from "../domain/refusal-rule.ts";
import { cause_rule, RemedySchema, type Rule, rule } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { CodeSchema } from "../gen/google/rpc/code_pb.ts";

/** What the taxonomy says to a person of one leaf, or of one cause of it. */
export interface Entry {
  readonly reason: string;
  readonly cause: string | undefined;
  readonly parents: readonly string[];
  readonly code: number;
  readonly codeName: string;
  readonly remedy: string;
  readonly text: string;
  readonly advice: string;
  readonly fixedBy: string;
  /** Names of the facts that the leaf carries. */
  readonly facts: readonly string[];
}

/** Every leaf in the order of the proto, each followed by its causes. */
export const entries: readonly Entry[] = leaves.flatMap((leaf) => [entryOf(leaf, 0), ...causesOf(leaf)]);

/** The entry of a refusal that was answered. */
export function entryFor(leaf: Leaf): Entry | undefined {
  const { reason, cause } = ruleFor(leaf);
  const ofLeaf = entries.filter((entry) => entry.reason === reason);
  return ofLeaf.find((entry) => entry.cause === cause) ?? ofLeaf[0];
}

/** The name of a gRPC code, such as FAILED_PRECONDITION. */
export function codeName(code: number): string {
  return CodeSchema.values.find(({ number }) => number === code)?.name ?? `CODE_${code}`;
}

/** The name of a remedy without its prefix. */
export function remedyName(remedy: number): string {
  const value = RemedySchema.values.find(({ number }) => number === remedy);
  return withoutPrefix(RemedySchema, value?.name ?? String(remedy));
}

function causesOf(leaf: LeafDescription): readonly Entry[] {
  const numbers = leaf.cause?.enum.values.map((value) => value.number) ?? [];
  return numbers.filter((number) => number !== 0).map((number) => entryOf(leaf, number));
}

function entryOf(leaf: LeafDescription, number: number): Entry {
  const { code, remedy, cause, ...found } = ruleOfCause(leaf, number);
  const words = wordsOf(leaf, number);
  return {
    ...found,
    cause: number === 0 ? undefined : cause,
    code,
    codeName: codeName(code),
    remedy: remedyName(remedy),
    ...words,
    facts: leaf.message.fields.map((field) => field.name),
  };
}

/** What only people read: it is in the options beside the rule, and a cause may say it in other words. */
function wordsOf(leaf: LeafDescription, number: number): Pick<Entry, "advice" | "fixedBy"> {
  const own = getOption(leaf.field, rule);
  const override = causeRule(leaf, number);
  return { advice: override?.advice || own.advice, fixedBy: override?.fixedBy || own.fixedBy };
}

function causeRule(leaf: LeafDescription, number: number): Rule | undefined {
  const value = leaf.cause?.enum.value[number];
  return value !== undefined && hasOption(value, cause_rule) ? getOption(value, cause_rule) : undefined;
}
