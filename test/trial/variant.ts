import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../transport/sidecars.ts";
import { root } from "./checkout.ts";

/** One hunk that breaks the product on purpose: a trial must be seen to fail on it. The product has no such option. */
export interface Patch {
  /** In words, for the output. */
  readonly name: string;
  /** The file in the checkout. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A copy of the checkout's sources in a temporary folder. */
export interface Variant {
  readonly checkout: string;
  /** The hunk as a diff shows it. */
  readonly diff: string;
  readonly remove: () => void;
}

/** Copies what a sidecar runs from, and changes one place in it. Throws when the place is not there exactly once. */
export function brokenVariant({ name, file, from, to }: Patch): Variant {
  const { path: checkout, remove } = temporaryFolder();
  for (const part of ["src", "bin", "bench", "package.json"])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  const text = readFileSync(join(checkout, file), "utf8");
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} does not hold this once: ${from}`);
  writeFileSync(
    join(checkout, file),
    text.replace(from, () => to),
  );
  return { checkout, remove, diff: `${name}\n--- ${file}\n${marked("-", from)}\n${marked("+", to)}` };
}

function marked(sign: string, text: string): string {
  return text.replaceAll(/^/gm, sign);
}
