import { readFileSync } from "node:fs";

/** The time in milliseconds since 1970, read anew at each call. */
export type Clock = () => number;

/** The file of a test clock holds no time. Its message says what it holds, and is for whoever named it. */
export class ClockFault extends Error {
  override readonly name = "ClockFault";
}

/**
 * The machine's clock, or with `--test-clock` the instant in that file: tests of horizons and of pruning move it. Throws ClockFault
 * for a file without an instant. A file that loses it later, as while it is written, leaves the time where it was.
 */
export function openClock(testClock: string | undefined): Clock {
  if (testClock === undefined) return Date.now;
  let last = readInstant(testClock);
  return () => {
    try {
      last = readInstant(testClock);
    } catch (thrown) {
      if (!(thrown instanceof ClockFault)) throw thrown;
    }
    return last;
  };
}

function readInstant(file: string): number {
  const text = textOf(file).trim();
  const instant = instantForm.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  const found = text === "" ? "nothing" : JSON.stringify(text.slice(0, 40));
  throw new ClockFault(`${file} holds ${found}; ${needed}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    throw new ClockFault(`${file} cannot be read (${String(thrown.code)}); ${needed}`);
  }
}

const needed = "it must hold one RFC 3339 instant, such as 2027-06-01T00:00:00Z";
const instantForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
