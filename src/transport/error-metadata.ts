import { type DescField, type Message, toJson } from "@bufbuild/protobuf";
import { type ReflectList, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Leaf } from "../domain/outcome.ts";
import { describeLeaf, type LeafRule, withoutPrefix } from "../domain/refusal-rule.ts";
import { type NameSample, NameSampleSchema, RemedySchema } from "../gen/fermata/refusal/v1/refusal_pb.ts";

/** Never in the metadata: it names a tenant. */
const kept = "thread_key";

/**
 * ErrorInfo.metadata of a leaf: its parents, its remedy, and every fact of it as text, named as in the proto and sorted (refusals.md, The
 * status). A sample or a list is its total; what is unset is the empty string, so that each key of a leaf is always there.
 */
export function errorMetadata(leaf: Leaf, rule: LeafRule): Record<string, string> {
  const { message } = describeLeaf(leaf);
  const facts = reflect(message, leaf.value);
  const entries = message.fields
    .filter((field) => field.name !== kept)
    .map((field): [string, string] => [field.name, factText(field, facts)]);
  entries.push(["parents", rule.parents.join(",")], ["remedy", remedyText(rule)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A leaf's remedy without the enum's prefix. */
function remedyText(rule: LeafRule): string {
  return withoutPrefix(RemedySchema, RemedySchema.value[rule.remedy]?.name ?? "");
}

/** One fact as text: what stands in the metadata, and what fills a hole of a text template. */
export function factText(field: DescField, facts: ReflectMessage): string {
  if (field.fieldKind === "list") return String((facts.get(field) as ReflectList).size);
  if (field.fieldKind === "map") return "";
  if (field.fieldKind === "enum")
    return withoutPrefix(field.enum, field.enum.value[facts.get(field) as number]?.name ?? "");
  if (field.fieldKind === "message") {
    return facts.isSet(field) ? messageText((facts.get(field) as ReflectMessage).message) : "";
  }
  if (field.presence === 1 && !facts.isSet(field)) return "";
  return String(facts.get(field));
}

function messageText(message: Message): string {
  switch (message.$typeName) {
    case NameSampleSchema.typeName:
      return String((message as NameSample).total);
    case TimestampSchema.typeName:
      return new Date(timestampMs(message as Timestamp)).toISOString();
    case DurationSchema.typeName:
      return toJson(DurationSchema, message as Duration);
  }
  throw new Error(`a fact of type ${message.$typeName} has no text`);
}
