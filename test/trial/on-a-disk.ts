import { describe } from "vitest";
import { canBuildShim } from "./disk-shim.ts";

/** A block of tests that need the disk shim. Without a C compiler it is skipped by name; with CI=true it fails instead. */
export function onADisk(name: string, tests: () => void): void {
  const missing = process.env["CI"] !== "true" && !canBuildShim();
  describe.skipIf(missing)(missing ? `skipped, there is no C compiler for Linux here: ${name}` : name, tests);
}
