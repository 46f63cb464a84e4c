import { isMap, isNode, isScalar, isSeq } from "yaml";
import { environmentName, flagName, type Leaf, leaves } from "./leaves.ts";
import { readYaml } from "./yaml-text.ts";

/** What a config is made of. Flags win over the environment, that over the file, that over the defaults. */
export interface Layers {
  readonly file?: SourceFile | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the account, for an environment without HOME; undefined if it has none. */
  readonly home?: string | undefined;
  /** Values by the name of the setting, as commander makes them. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/** A config file, with the name that messages call it by. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** The layers laid over each other, before anything is checked. */
export interface Merged {
  readonly value: unknown;
  /** Where the value at this path was written; undefined if nowhere. */
  readonly from: (path: readonly PropertyKey[]) => string | undefined;
  /** What could not even be read as YAML or JSON. */
  readonly unreadable: readonly Unreadable[];
}

/** Text that is neither YAML nor JSON, or too much of it. */
export interface Unreadable {
  readonly from: string;
  readonly message: string;
}

/** Lays the layers over each other, leaf by leaf. A section that the file spoils stays spoilt, so that its fault is told. */
export function merge(layers: Layers): Merged {
  const file = readFile(layers.file);
  const written = [...fromEnvironment(layers.env), ...fromFlags(layers.flags)];
  const value = written.reduce<unknown>((tree, one) => withValue(tree, one.leaf.path, one.value), file.value);
  const from = (path: readonly PropertyKey[]) =>
    written.findLast((one) => one.leaf.path.every((key, index) => key === path[index]))?.from ?? file.from(path);
  return { value, from, unreadable: [...file.unreadable, ...written.flatMap((one) => one.unreadable ?? [])] };
}

interface Written {
  readonly leaf: Leaf;
  readonly value: unknown;
  readonly from: string;
  readonly unreadable?: Unreadable;
}

function readFile(file: SourceFile | undefined): Merged {
  if (file === undefined) return { value: {}, from: () => undefined, unreadable: [] };
  const read = readYaml(file.text);
  if (read.kind === "unreadable") {
    const from = read.line === undefined ? file.name : `${file.name}:${read.line}`;
    return { value: {}, from: () => undefined, unreadable: [{ from, message: read.message }] };
  }
  const from = (path: readonly PropertyKey[]) => {
    const offset = offsetNear(read.contents, path);
    return offset === undefined ? undefined : `${file.name}:${read.lineOf(offset)}`;
  };
  return { value: read.value ?? {}, from, unreadable: [] };
}

/** Where the key at this path stands, or the nearest section around it that was written. */
function offsetNear(root: unknown, path: readonly PropertyKey[]): number | undefined {
  return path.length === 0 ? undefined : (offsetOf(root, path) ?? offsetNear(root, path.slice(0, -1)));
}

function offsetOf(node: unknown, path: readonly PropertyKey[]): number | undefined {
  const [key, ...rest] = path;
  const child = childOf(node, key);
  return child !== undefined && rest.length > 0 ? offsetOf(child.value, rest) : child?.offset;
}

function childOf(node: unknown, key: PropertyKey | undefined) {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    return pair && { value: pair.value, offset: isNode(pair.key) ? pair.key.range?.[0] : undefined };
  }
  const item = isSeq(node) ? node.items[Number(key)] : undefined;
  return isNode(item) ? { value: item, offset: item.range?.[0] } : undefined;
}

/** An empty variable counts as not set: that is how compose files and manifests say so. */
function fromEnvironment(env: Layers["env"]): readonly Written[] {
  return leaves.flatMap((leaf) => {
    const name = environmentName(leaf.path);
    const text = env[name];
    return text === undefined || text === "" ? [] : [{ leaf, from: name, ...readText(leaf, text, name) }];
  });
}

function fromFlags(flags: Layers["flags"]): readonly Written[] {
  return leaves.flatMap((leaf) => {
    const flag = flagName(leaf);
    const value = flags[leaf.path[0] ?? ""];
    return flag === undefined || value === undefined ? [] : [{ leaf, value, from: flag }];
  });
}

function readText(leaf: Leaf, text: string, from: string): { value: unknown; unreadable?: Unreadable } {
  switch (leaf.kind) {
    case "text":
      return { value: text };
    case "number":
      return { value: /^\d+$/.test(text) ? Number(text) : text };
    case "boolean":
      return { value: text === "true" ? true : text === "false" ? false : text };
    case "list":
      return { value: text.split(",").map((part) => part.trim()) };
    case "structure":
      return readStructure(text, from);
  }
}

function readStructure(text: string, from: string): { value: unknown; unreadable?: Unreadable } {
  const read = readYaml(text);
  if (read.kind === "read") return { value: read.value };
  return { value: undefined, unreadable: { from, message: read.message } };
}

function withValue(tree: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (tree === undefined) return { [key]: withValue(undefined, rest, value) };
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return tree;
  return { ...tree, [key]: withValue(Object.entries(tree).find(([name]) => name === key)?.[1], rest, value) };
}
