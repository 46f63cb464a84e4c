import { readFileSync } from "node:fs";

/** The time in milliseconds since 1970, read anew at each call. */
export type Clock = () => number;

/** The machine's clock, or with `--test-clock` the instant in that file: tests of horizons and of pruning move it. */
export function openClock(testClock: string | undefined): Clock {
  if (testClock === undefined) return Date.now;
  return () => {
    const text = readFileSync(testClock, "utf8").trim();
    const now = Date.parse(text);
    if (Number.isNaN(now)) throw new Error(`${testClock} holds no RFC 3339 instant`);
    return now;
  };
}
