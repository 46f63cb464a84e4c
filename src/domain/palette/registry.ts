import type { Registry as RegistryMessage } from "../../gen/fermata/palette/v1/palette_pb.ts";
import { sha256 } from "../digest.ts";
import { ok } from "../outcome.ts";
import { checkCount, invalid, maxViolations, type Parsed, type Violation } from "../violation.ts";
import { textFault, textFaults } from "./text-rule.ts";

/** All tools of a deployment, in order and proved. Every list that is answered is a subsequence of it. */
export interface Registry {
  readonly tools: readonly RegisteredTool[];
  readonly byName: ReadonlyMap<string, RegisteredTool>;
  /** Over names and tags in order, so that it is equal whether the registry came inline or by RegisterTools. */
  readonly digest: Uint8Array;
}

/** A tool at its place in the registry. Tools of one registry are compared by identity. */
export interface RegisteredTool {
  readonly name: string;
  readonly tags: readonly string[];
  readonly position: number;
}

const maxTools = 10_000;
const maxNameBytes = 128;
const maxTags = 16;
const maxTagBytes = 64;

/** Proves a registry, or names what is wrong by the tool's index. It runs on every call that sends its tools along: one pass. */
export function parseRegistry(message: RegistryMessage): Parsed<Registry> {
  const tooMany = checkCount("registry.tools", message.tools.length, maxTools);
  if (tooMany.length > 0) return invalid(tooMany);
  const byName = new Map<string, RegisteredTool>();
  const violations: Violation[] = [];
  const tools = message.tools.map(({ name, tags }, position) => {
    const tool = { name, tags, position };
    const faults = byName.has(name) ? [duplicate(tool, byName)] : toolFaults(tool);
    if (faults !== none && violations.length < maxViolations) violations.push(...faults);
    byName.set(name, tool);
    return tool;
  });
  return violations.length > 0 ? invalid(violations) : ok({ tools, byName, digest: registryDigest(tools) });
}

/** These tools in registry order, each once. */
export function inRegistryOrder(tools: Iterable<RegisteredTool>): readonly RegisteredTool[] {
  return [...new Set(tools)].sort((one, other) => one.position - other.position);
}

const none: readonly Violation[] = [];

function toolFaults({ name, tags, position }: RegisteredTool): readonly Violation[] {
  const fault = textFault("", name, maxNameBytes);
  if (fault === undefined && tags.length === 0) return none;
  const field = `registry.tools[${position}]`;
  return [
    ...(fault === undefined ? [] : [{ ...fault, field: `${field}.name` }]),
    ...checkCount(`${field}.tags`, tags.length, maxTags),
    ...textFaults(`${field}.tags`, tags.slice(0, maxTags), maxTagBytes),
  ];
}

function duplicate({ name, position }: RegisteredTool, byName: ReadonlyMap<string, RegisteredTool>): Violation {
  const first = byName.get(name)?.position;
  const description = `is the name of tools[${first}] already; names are unique`;
  return { field: `registry.tools[${position}].name`, rule: "DUPLICATE", description };
}

function registryDigest(tools: readonly RegisteredTool[]): Uint8Array {
  const names = tools.map(({ name }) => name);
  const tagged = tools.filter(({ tags }) => tags.length > 0);
  const tags = tagged.flatMap((tool) => [String(tool.position), String(tool.tags.length), ...tool.tags]);
  return sha256("fermata.palette.registry/1", [String(names.length), ...names, ...tags]);
}
