import type { Patch } from "./variant.ts";

/** The two ways of reading a gate that let new state through, each as one hunk. The trial must find what they let through. */
export const brokenGates: readonly Patch[] = [
  {
    name: "the gate is read before the transaction",
    file: "src/store/sqlite/batch.ts",
    from: `    beginImmediate(connection);
    refuseMovedOn(connection);
    const holds = readHolds(connection);`,
    to: `    const holds = readHolds(connection);
    beginImmediate(connection);
    refuseMovedOn(connection);`,
  },
  {
    name: "the gate is cached",
    file: "src/store/sqlite/gate.ts",
    from: "  return holdRows(connection).map(holdOf);",
    to: `  const cache = globalThis as { holds?: readonly Hold[]; until?: number };
  if (cache.holds === undefined || (cache.until ?? 0) < Date.now()) {
    Object.assign(cache, { holds: holdRows(connection).map(holdOf), until: Date.now() + 20 });
  }
  return cache.holds ?? [];`,
  },
];
