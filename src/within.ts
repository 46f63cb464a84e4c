import { setTimeout } from "node:timers/promises";

/** Whether the work ended within so many milliseconds. A work that fails, fails here. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const waited = new AbortController();
  const late = setTimeout(ms, false, { signal: waited.signal }).catch(() => false);
  const inTime = await Promise.race([work.then(() => true), late]);
  waited.abort();
  return inTime;
}
