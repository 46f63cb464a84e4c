import { hex } from "../domain/digest.ts";
import type { Registry } from "../domain/palette/registry.ts";
import { bounded } from "./bounded.ts";

/** The registries that hosts registered, in memory: a host that is told REGISTRY_UNKNOWN sends its registry again. */
export interface Registries {
  /** The registry with this digest; undefined for one that was never kept or was forgotten. */
  find(digest: Uint8Array): Registry | undefined;
  /** Keeps a registry under its digest, and forgets what was used longest ago. */
  keep(registry: Registry): void;
}

const maxRegistries = 256;
const digestBytes = 32;

/** 256 registries of 10,000 tools would fill a pod's memory several times. */
const maxBytes = 64 * 1024 * 1024;
const bytesPerTool = 200;
const bytesPerTag = 32;

/** An empty keeper of registries. A registry counts as used when it is found. */
export function openRegistries(): Registries {
  const kept = bounded<Registry>({ entries: maxRegistries, weight: maxBytes, weigh: weightOf });
  return {
    find: (digest) => (digest.length === digestBytes ? kept.get(hex(digest)) : undefined),
    keep: (registry) => kept.set(hex(registry.digest), registry),
  };
}

function weightOf({ tools }: Registry): number {
  return tools.reduce(
    (sum, { name, tags }) => sum + bytesPerTool + name.length + tags.join().length + tags.length * bytesPerTag,
    0,
  );
}
