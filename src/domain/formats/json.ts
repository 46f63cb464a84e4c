/** A JSON object as it was parsed. Its fields are read by name only, so a key like `__proto__` is a field like any other. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object, and no array. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a text that says something. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether a field is there. Libraries write the fields that they do not use as null. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The value of a JSON text. `undefined`: it does not parse, or nests deeper than the engine can. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** Whether the arguments of a call are text that was cut. An empty text means no arguments; what is no text was not cut. */
export function isCutArguments(value: unknown): boolean {
  return isText(value) && parseJson(value) === undefined;
}
