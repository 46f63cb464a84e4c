import type { Document } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { CheckpointFormat_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Facts, type Refusal, refuse } from "../outcome.ts";
import type { Adapter } from "./adapter.ts";
import type { EntriesReading, Format, OpaqueReading } from "./entry.ts";
import { formatName, parseFormat } from "./format-name.ts";
import { parseJson } from "./json.ts";
import { KNOWN } from "./known.ts";

/** A document as its format reads it, or the CHECKPOINT_FORMAT refusal that says why not. */
export type Reading = EntriesReading | OpaqueReading | Refusal;

/**
 * Reads a document as the format that it declares, and as no other. `listed` names the formats of the configuration: one without an adapter
 * is opaque, and its content is not looked at.
 */
export function readDocument(declared: string, content: Document["content"], listed: readonly string[]): Reading {
  const format = parseFormat(declared);
  const adapter = format && adapterOf(format);
  if (adapter !== undefined) return readWith(adapter, content);
  if (format !== undefined && listed.includes(declared)) return { kind: "opaque", format };
  const newest = format && newestVersion(format.name, listed);
  if (format !== undefined && newest !== undefined && format.version > newest) {
    return notOfFormat(declared, { cause: Cause.FUTURE_VERSION, foundVersion: format.version, maxVersion: newest });
  }
  return notOfFormat(declared, { cause: Cause.UNDECLARED, candidates: candidates(content) });
}

function adapterOf(format: Format): Adapter | undefined {
  return KNOWN.find(({ name, version }) => name === format.name && version === format.version);
}

/** The known formats that would read this content, in the order of the list. Advice for whoever declares a format: nothing is ever read by it. */
export function candidates(content: Document["content"]): string[] {
  const value = content.case === "text" ? parseJson(content.value) : undefined;
  return value === undefined ? [] : fitting(value);
}

function fitting(value: unknown): string[] {
  return KNOWN.filter((adapter) => typeof adapter.read(value) !== "string").map(formatName);
}

function readWith(adapter: Adapter, content: Document["content"]): EntriesReading | Refusal {
  const format = { name: adapter.name, version: adapter.version };
  if (content.case !== "text") return notOfFormat(formatName(format), { cause: Cause.UNRECOGNISED });
  const value = parseJson(content.value);
  if (value === undefined) return notOfFormat(formatName(format), { cause: Cause.CORRUPT });
  const read = adapter.read(value);
  switch (read) {
    case "corrupt":
      return notOfFormat(formatName(format), { cause: Cause.CORRUPT });
    case "unrecognised":
      return notOfFormat(formatName(format), { cause: Cause.UNRECOGNISED, candidates: fitting(value) });
    default:
      return { kind: "entries", format, entries: read };
  }
}

function newestVersion(name: string, listed: readonly string[]): number | undefined {
  const known = [...KNOWN, ...listed.flatMap((text) => parseFormat(text) ?? [])];
  const versions = known.filter((format) => format.name === name).map(({ version }) => version);
  return versions.length === 0 ? undefined : Math.max(...versions);
}

function notOfFormat(format: string, facts: Facts<"checkpointFormat">): Refusal {
  return refuse("checkpointFormat", { ...facts, format });
}
