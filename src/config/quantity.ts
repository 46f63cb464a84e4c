import { z } from "zod";

const DURATION = /^(\d{1,9})(ms|s|m|h)$/;
const SIZE = /^(\d{1,12})(B|KiB|MiB|GiB)?$/;
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const BYTES: Readonly<Record<string, number>> = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 };

/** A duration as people write it ("250ms", "2s"), read to milliseconds. Without a unit it is a fault: nobody agrees on one. */
export function duration(most = "24h") {
  const expected = `a duration such as 250ms, 2s or 5m, at most ${most}`;
  return z
    .string({ error: expected })
    .regex(DURATION, { error: expected, abort: true })
    .refine((text) => milliseconds(text) <= milliseconds(most), { error: expected, abort: true })
    .transform(milliseconds);
}

/** A size in bytes, as a number or as people write it ("8MiB"). Units are binary only: 8MB is a fault, not a guess. */
export function size(most: string) {
  const expected = `a size such as 65536, 512KiB or 8MiB, from 1 byte to ${most}`;
  return z
    .union([z.number(), z.string().regex(SIZE, { abort: true })], { error: expected })
    .refine((value) => isWhole(bytes(value)) && bytes(value) <= bytes(most), { error: expected, abort: true })
    .transform(bytes);
}

/** A number of things, of which there is at least one: a limit of zero would refuse every call. */
export function count(most: number) {
  const expected = `a whole number from 1 to ${most}`;
  return z
    .int({ error: expected, abort: true })
    .min(1, { error: expected, abort: true })
    .max(most, { error: expected, abort: true });
}

function milliseconds(text: string): number {
  const [, digits, unit] = DURATION.exec(text) ?? [];
  return Number(digits) * (MILLISECONDS[unit ?? ""] ?? Number.NaN);
}

function bytes(value: number | string): number {
  if (typeof value === "number") return value;
  const [, digits, unit] = SIZE.exec(value) ?? [];
  return Number(digits) * (BYTES[unit ?? "B"] ?? Number.NaN);
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
