import type { SkillRow } from "../../gen/fermata/palette/v1/palette_pb.ts";
import type { Evidence } from "./evidence.ts";
import type { RegisteredTool, Registry } from "./registry.ts";

/** How routing ended. Only `routed` narrows. */
export type Routing =
  | Routed
  | { readonly kind: "declined"; readonly reason: "noProceduralLayer" | "noSkills" | "allInactive" }
  | { readonly kind: "declined"; readonly reason: "retrievalFailed"; readonly faultType: string }
  | { readonly kind: "declined"; readonly reason: "noneResolved"; readonly unresolved: readonly string[] }
  | { readonly kind: "unavailable"; readonly missing: readonly string[] };

/** The tools that skills named. */
interface Routed {
  readonly kind: "routed";
  /** Most relevant first, each once. */
  readonly ranked: readonly RegisteredTool[];
  /** The same in registry order. */
  readonly tools: readonly RegisteredTool[];
  /** Candidates that no registered tool has as its name, first seen first, each once. */
  readonly unresolved: readonly string[];
}

/** Decides how routing ends. It never fails a turn and never offers none: what cannot narrow declines. */
export function route(evidence: Evidence, registry: Registry): Routing {
  switch (evidence.kind) {
    case "no-layer":
      return { kind: "declined", reason: "noProceduralLayer" };
    case "failed":
      return { kind: "declined", reason: "retrievalFailed", faultType: evidence.faultType };
    case "unavailable":
      return evidence;
    case "rows":
      return routeByRows(evidence.rows, registry);
  }
}

function routeByRows(rows: readonly SkillRow[], registry: Registry): Routing {
  if (rows.length === 0) return { kind: "declined", reason: "noSkills" };
  const active = rows.filter((row) => row.active !== false);
  if (active.length === 0) return { kind: "declined", reason: "allInactive" };
  const named = resolveCandidates(active.map(candidateOf), registry);
  return named.ranked.length > 0 ? named : { kind: "declined", reason: "noneResolved", unresolved: named.unresolved };
}

/** Tools are marked by their position: ten thousand of them are neither hashed again nor sorted. */
function resolveCandidates(candidates: readonly string[], { byName, tools }: Registry): Routed {
  const ranked: RegisteredTool[] = [];
  const named = new Uint8Array(tools.length);
  const unresolved = new Set<string>();
  for (const candidate of candidates) {
    const tool = byName.get(candidate);
    if (tool === undefined) unresolved.add(candidate);
    else if (named[tool.position] === 0) ranked.push(tool);
    if (tool !== undefined) named[tool.position] = 1;
  }
  unresolved.delete("");
  const inOrder = tools.filter(({ position }) => named[position] === 1);
  return { kind: "routed", ranked, tools: inOrder, unresolved: [...unresolved] };
}

function candidateOf({ actionTool, content }: SkillRow): string {
  return trim(actionTool === undefined || actionTool === "" ? content : actionTool);
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

// String.trim takes U+FEFF away, which is no White_Space, and leaves U+0085 and U+001C to U+001F, which other languages take away.
function isWhiteSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  return otherWhiteSpace.has(unit);
}

const otherWhiteSpace: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028,
  0x2029, 0x202f, 0x205f, 0x3000,
]);
