import { type CST, type Document, LineCounter, Parser, parseDocument, visit } from "yaml";

/** A text that was read as YAML, of which JSON is a part; or why it was not. */
export type YamlText =
  | {
      readonly kind: "read";
      readonly value: unknown;
      readonly contents: Document["contents"];
      readonly lineOf: (offset: number) => number;
    }
  | { readonly kind: "unreadable"; readonly message: string; readonly line: number | undefined };

/** How deep sections and lists may stand in each other. No setting needs a tenth of it, and no stack overflows at it. */
export const deepest = 64;

const tooDeep = `sections or lists that nest deeper than ${deepest} levels`;

/** Reads one text by a person or from a variable. What nests too deep, or stands for too much by its aliases, is unreadable. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const deep = firstTooDeep(text);
  const document = deep === undefined ? parseDocument(text, { lineCounter: lines, prettyErrors: false }) : undefined;
  if (document === undefined) return { kind: "unreadable", message: tooDeep, line: lineAt(text, deep ?? 0) };
  const [error] = document.errors;
  if (error !== undefined) return { kind: "unreadable", message: error.message, line: lineOf(error.pos[0]) };
  const missing = missingAlias(document);
  if (missing !== undefined) return { kind: "unreadable", message: missing.message, line: lineOf(missing.offset) };
  const value = expanded(document);
  if (value.kind === "unreadable") return value;
  return { kind: "read", value: value.value, contents: document.contents, lineOf };
}

/** The offset of the first token that stands too deep. The parser keeps a stack of its own; what composes its tokens recurses. */
function firstTooDeep(text: string): number | undefined {
  for (const root of new Parser().parse(text)) {
    const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const depth = "items" in next.token ? next.depth + 1 : next.depth;
      if (depth > deepest) return next.token.offset;
      open.push(...within(next.token).map((token) => ({ token, depth })));
    }
  }
  return undefined;
}

function within(token: CST.Token): readonly CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((one) => one != null));
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function missingAlias(document: Document): { readonly message: string; readonly offset: number } | undefined {
  let found: { readonly message: string; readonly offset: number } | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      found = {
        message: `the alias *${alias.source}, and no &${alias.source} before it`,
        offset: alias.range?.[0] ?? 0,
      };
      return visit.BREAK;
    },
  });
  return found;
}

type Expanded = { readonly kind: "value"; readonly value: unknown } | Extract<YamlText, { kind: "unreadable" }>;

/** The plain value. Aliases may multiply what stands there, and may stand within themselves. */
function expanded(document: Document): Expanded {
  try {
    const value: unknown = document.toJS();
    if (!isTooDeep(value)) return { kind: "value", value };
    return { kind: "unreadable", message: `aliases that nest deeper than ${deepest} levels`, line: undefined };
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown;
    return { kind: "unreadable", message: "aliases that stand for much more than is written", line: undefined };
  }
}

function isTooDeep(value: unknown): boolean {
  const open = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    const depth = next.depth + 1;
    if (depth > deepest) return true;
    open.push(...Object.values(next.value).map((inner: unknown) => ({ value: inner, depth })));
  }
  return false;
}
