import { z } from "zod";

/** What a tools file held: the names in their order, and what a person should know about the rest of it. */
export type ToolsFile =
  | { readonly kind: "tools"; readonly tools: readonly NamedTool[]; readonly notes: readonly string[] }
  | { readonly kind: "unreadable"; readonly found: string };

/** A tool as far as a palette knows it. Only our own form has tags. */
export interface NamedTool {
  readonly name: string;
  readonly tags: readonly string[];
}

/**
 * Reads the tools of an MCP `tools/list` answer (bare, in its JSON-RPC envelope, or among the lines that a server wrote), of an OpenAI,
 * Anthropic, Gemini or Bedrock tools array or the request that holds it, or of a list of names. Schemas are not looked at.
 */
export function readTools(text: string): ToolsFile {
  const whole = parseJson(text);
  if (whole.kind === "json") return joined(readDocument(whole.value));
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0) return unreadable("nothing at all");
  const messages = lines.map(parseJson);
  if (messages.every((message) => message.kind === "json")) return readMessages(messages.map(({ value }) => value));
  return /^\s*[[{]/.test(text)
    ? unreadable(`text that begins like JSON and is not: ${whole.message}`)
    : readNames(lines);
}

/** What one value was found to be: tools, a wrapper's remark, or something else. */
type Found =
  | { readonly kind: "tool"; readonly tool: NamedTool }
  | { readonly kind: "note"; readonly note: string }
  | { readonly kind: "other"; readonly found: string };

type Json = { readonly kind: "json"; readonly value: unknown } | { readonly kind: "text"; readonly message: string };

const name = z.string();
const list = z.array(z.unknown());
const envelope = z.object({ jsonrpc: z.string(), result: z.unknown() });
const failure = z.object({ jsonrpc: z.string(), error: z.object({ message: z.string() }) });
const page = z.object({ tools: list, nextCursor: z.string() });
const tagged = z.object({ name, tags: z.array(z.string()).optional() });

/** Where an object may keep a list of tools. */
const holders = ["tools", "functionDeclarations", "function_declarations", "toolConfig"] as const;
/** Where a dialect keeps the object that has the name. */
const wrappers = ["function", "custom", "toolSpec"] as const;
/** What messages, calls and their results have in the known dialects, and no tool of any. */
const messageMarks = [
  ...["role", "content", "parts", "tool_calls", "toolCalls"],
  ...["call_id", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "arguments", "output", "summary"],
  ...["functionCall", "function_call", "functionResponse", "function_response", "toolUse", "toolResult"],
  ...["input", "args", "text", "data", "kwargs"],
] as const;

function readDocument(value: unknown): readonly Found[] {
  const failed = failure.safeParse(value);
  if (failed.success) return [other(`a JSON-RPC error: ${failed.data.error.message}`)];
  const enveloped = envelope.safeParse(value);
  if (enveloped.success) return readDocument(enveloped.data.result);
  const held = heldTools(value);
  if (held === undefined) return Array.isArray(value) ? value.flatMap(readElement) : [other(kindOf(value))];
  return [...held.flatMap(readElement), ...pageNotes(value)];
}

/** The list of tools that an object holds; of `toolConfig`, the one inside it. */
function heldTools(value: unknown): readonly unknown[] | undefined {
  for (const holder of holders) {
    const held = member(value, holder);
    if (Array.isArray(held)) return held;
    if (holder === "toolConfig" && held !== undefined) return heldTools(held);
  }
  return undefined;
}

function readElement(value: unknown, index: number): readonly Found[] {
  const said = conversational(value);
  if (said !== undefined) return [other(`${said} as element ${index}: this is a conversation`)];
  if (typeof value === "string") return [{ kind: "tool", tool: { name: value, tags: [] } }];
  const named = [value, ...wrappers.map((wrapper) => member(value, wrapper))].find(
    (one) => tagged.safeParse(one).success,
  );
  if (named !== undefined) {
    const { name, tags = [] } = tagged.parse(named);
    return [{ kind: "tool", tool: { name, tags } }];
  }
  const declared = heldTools(value);
  if (declared !== undefined) return declared.flatMap(readElement);
  return [nameless(value, index)];
}

/** What an element says of a conversation, if it is a part of one. Its calls have names, and so may its messages. */
function conversational(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const mark = messageMarks.find((key) => [value, ...wrappers.map((wrapper) => value[wrapper])].some(has(key)));
  if (mark === undefined) return undefined;
  return `a message or call (an object with ${JSON.stringify(mark)})`;
}

function has(key: string): (value: unknown) => boolean {
  return (value) => isObject(value) && key in value;
}

/**
 * A provider's own tool (a web search ...) is an object without a name: no palette can offer, drop or force it. It has a type, or is one
 * key with its options.
 */
function nameless(value: unknown, index: number): Found {
  const known = ownTool(value);
  if (known === undefined) return other(`${kindOf(value)} as element ${index}`);
  return {
    kind: "note",
    note: `left out the provider's own tool ${JSON.stringify(known)}: it has no name to offer, drop or force`,
  };
}

function ownTool(value: unknown): string | undefined {
  if (!isObject(value) || "name" in value) return undefined;
  if (typeof value["type"] === "string") return value["type"];
  const [key, ...more] = Object.keys(value);
  return key !== undefined && more.length === 0 && isObject(value[key]) ? key : undefined;
}

function pageNotes(value: unknown): readonly Found[] {
  if (!page.safeParse(value).success) return [];
  return [{ kind: "note", note: "this is one page of several (nextCursor is set): name the others with --tools too" }];
}

/** The lines that an MCP server wrote: those that are no tools/list answer are passed over, the last page has no next one. */
function readMessages(messages: readonly unknown[]): ToolsFile {
  const pages = messages
    .map((message) => envelope.safeParse(message).data?.result)
    .filter((result) => heldTools(result));
  if (pages.length === 0) return unreadable("lines of JSON without a tools/list answer among them");
  const tools = pages.flatMap((result) => heldTools(result) ?? []).flatMap(readElement);
  return joined([...tools, ...pageNotes(pages.at(-1))]);
}

function readNames(lines: readonly string[]): ToolsFile {
  const strange = lines.findIndex((line) => /\S\s+\S/.test(line));
  if (strange >= 0)
    return unreadable(
      `text whose line ${strange + 1} is no tool name: ${JSON.stringify(lines[strange]?.slice(0, 40))}`,
    );
  return { kind: "tools", tools: lines.map((line) => ({ name: line.trim(), tags: [] })), notes: [] };
}

function joined(found: readonly Found[]): ToolsFile {
  const [wrong] = found.flatMap((one) => (one.kind === "other" ? [one.found] : []));
  if (wrong !== undefined) return unreadable(wrong);
  const tools = found.flatMap((one) => (one.kind === "tool" ? [one.tool] : []));
  return { kind: "tools", tools, notes: folded(found.flatMap((one) => (one.kind === "note" ? [one.note] : []))) };
}

/** Each remark once, with how often it was made. */
function folded(notes: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  for (const note of notes) times.set(note, (times.get(note) ?? 0) + 1);
  return [...times].map(([note, count]) => (count === 1 ? note : `${note} (${count} times)`));
}

function parseJson(text: string): Json {
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return { kind: "text", message: thrown.message };
  }
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (!isObject(value)) return Array.isArray(value) ? "a list" : `a ${typeof value}`;
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.map((key) => JSON.stringify(key)).join(", ")}`;
}

function other(found: string): Found {
  return { kind: "other", found };
}

function unreadable(found: string): ToolsFile {
  return { kind: "unreadable", found };
}
