import type { z } from "zod";
import { configJsonSchema, type JsonSchema, leaves } from "./leaves.ts";
import { nearest } from "./nearest.ts";

/** One thing that is wrong in a config. All of them are told at once. */
export interface Fault {
  /** Path of the setting, such as limits.connections or listen[0]; empty for a file that cannot be read. */
  readonly path: string;
  readonly got: string;
  readonly expected: string;
  /** Where it was written: file and line, variable or flag; undefined for what is missing. */
  readonly from: string | undefined;
}

/** What a fault is made from: the merged value, and where its parts were written. */
export interface Context {
  readonly value: unknown;
  readonly from: (path: readonly PropertyKey[]) => string | undefined;
}

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  object: "a section with keys of its own",
  record: "a section with keys of its own",
  array: "a list",
  string: "text",
};

/** The faults of one of zod's issues: one for each unknown key, else one. */
export function toFaults(issue: Issue, context: Context): readonly Fault[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey([...issue.path, key], context));
  const expected = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
  return [faultAt(issue.path, expected ?? issue.message, context)];
}

/** A fault of the setting at this path, with what was found there. */
export function faultAt(path: readonly PropertyKey[], expected: string, context: Context): Fault {
  return { path: pathText(path), got: found(path, context), expected, from: context.from(path) };
}

/** What zod says where a setting brings no words of its own. */
export function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === "invalid_type" ? KINDS[issue.expected] : undefined;
}

function unknownKey(path: readonly PropertyKey[], context: Context): Fault {
  const meant = meantBy(path);
  const expected = meant === undefined ? "no setting of this name exists" : `did you mean ${meant}?`;
  return faultAt(path, expected, context);
}

/** A key of the same section that looks alike, else a setting of that name which stands elsewhere. */
function meantBy(path: readonly PropertyKey[]): string | undefined {
  const section = path.slice(0, -1);
  const key = String(path.at(-1));
  const sibling = nearest(key, keysOf(schemaAt(configJsonSchema(), section)));
  if (sibling !== undefined) return pathText([...section, sibling]);
  const elsewhere = leaves.find((leaf) => leaf.path.at(-1) === key);
  return elsewhere && pathText(elsewhere.path);
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  return path.reduce<JsonSchema>((at, key) => at.properties?.[String(key)] ?? at.items ?? valuesOf(at), schema);
}

function valuesOf(schema: JsonSchema): JsonSchema {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
}

function keysOf(schema: JsonSchema): readonly string[] {
  return Object.keys(schema.properties ?? {});
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    "",
  );
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null
        ? Object.entries(at).find(([name]) => name === String(key))?.[1]
        : undefined,
    value,
  );
}

function found(path: readonly PropertyKey[], context: Context): string {
  const value = valueAt(context.value, path);
  if (value !== undefined) return short(JSON.stringify(value));
  const fallback = leaves.find((leaf) => leaf.path.join() === path.join())?.fallback;
  return fallback === undefined ? "nothing" : `${JSON.stringify(fallback)}, the default`;
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
