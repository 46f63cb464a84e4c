import type { Format } from "./entry.ts";

/** Reads `name/version` strictly: no blanks, no leading zeros, no sign. `undefined`: it names no format. */
export function parseFormat(text: string): Format | undefined {
  const [, name, version] = FORMAT.exec(text) ?? [];
  if (name === undefined || version === undefined) return undefined;
  return { name, version: Math.min(Number(version), LARGEST_VERSION) };
}

/** The one spelling of a format. */
export function formatName(format: Format): string {
  return `${format.name}/${format.version}`;
}

const FORMAT = /^([A-Za-z0-9][A-Za-z0-9._-]{0,62})\/(0|[1-9][0-9]{0,31})$/;

/** The wire's `found_version` has 32 bits; a greater number is newer than any format all the same. */
const LARGEST_VERSION = 0xffffffff;
