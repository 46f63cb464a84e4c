/** A map that forgets what was used longest ago. */
export interface Bounded<V> {
  /** The value, which counts as used now; undefined once it was forgotten. */
  get(key: string): V | undefined;
  /** Keeps the value, and forgets others until the bounds hold. A value that is heavier than the whole map is not kept. */
  set(key: string, value: V): void;
}

/** How many values a map keeps, and how much they may weigh together. */
export interface Bounds<V> {
  readonly entries: number;
  readonly weight: number;
  readonly weigh: (value: V) => number;
}

/** A map within these bounds. Reading and writing cost the same however much it holds. */
export function bounded<V>({ entries, weight, weigh }: Bounds<V>): Bounded<V> {
  const kept = new Map<string, V>(); // in the order of use
  let total = 0;

  function forget(key: string): void {
    const value = kept.get(key);
    if (value !== undefined && kept.delete(key)) total -= weigh(value);
  }

  return {
    get(key) {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set(key, value) {
      forget(key);
      if (weigh(value) > weight) return;
      kept.set(key, value);
      total += weigh(value);
      for (const oldest of kept.keys()) {
        if (kept.size <= entries && total <= weight) return;
        forget(oldest);
      }
    },
  };
}
