import { z } from "zod";
import { settings } from "./settings.ts";

/** One setting that has a value of its own: where it stands in the file, and how text becomes its value. */
export interface Leaf {
  readonly path: readonly string[];
  readonly kind: "text" | "number" | "boolean" | "list" | "structure";
  /** What kind of value, for the help of a flag; absent for settings that are no flag. */
  readonly title: string | undefined;
  readonly description: string;
  /** As one would write it in a file; absent if the setting has none or it depends on the machine. */
  readonly fallback: unknown;
  /** For the sample, where there is no default worth showing. */
  readonly example: unknown;
}

/** The JSON schema of the file. */
export function configJsonSchema(): JsonSchema {
  // zod leaves the examples of what it transforms away, though they are written as a file has them.
  const schema = z.toJSONSchema(settings, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (Array.isArray(examples)) jsonSchema.examples = examples;
    },
  });
  // zod types its result by the whole JSON Schema draft; only the members below are read.
  return schema as JsonSchema;
}

/** Every setting in the order of the file, read from its JSON schema, so that there is no second list. */
export const leaves: readonly Leaf[] = leavesOf(configJsonSchema(), []);

/** The name of a setting in the environment: limits.maxDocumentBytes is FERMATA_LIMITS_MAX_DOCUMENT_BYTES. */
export function environmentName(path: readonly string[]): string {
  return ["FERMATA", ...path.map((key) => words(key).join("_"))].join("_").toUpperCase();
}

/** The flag of a setting: adminListen is --admin-listen. Only settings at the top that are no structure have one. */
export function flagName(leaf: Leaf): string | undefined {
  const [key] = leaf.path;
  if (key === undefined || leaf.path.length > 1 || leaf.kind === "structure") return undefined;
  return `--${words(key).join("-")}`;
}

/** The members of a JSON schema that are read here. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

function leavesOf(schema: JsonSchema, path: readonly string[]): readonly Leaf[] {
  if (schema.properties === undefined) return [toLeaf(schema, path)];
  return Object.entries(schema.properties).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function toLeaf(schema: JsonSchema, path: readonly string[]): Leaf {
  const { title, description = "", default: fallback, examples } = schema;
  return { path, kind: kindOf(schema), title, description, fallback, example: examples?.[0] };
}

function kindOf(schema: JsonSchema): Leaf["kind"] {
  if (schema.type === "integer") return "number";
  if (schema.type === "boolean") return "boolean";
  if (schema.type === "array") return schema.items?.type === "string" ? "list" : "structure";
  return schema.type === "object" ? "structure" : "text";
}

function words(key: string): readonly string[] {
  return key.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}
