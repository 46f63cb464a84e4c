import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import {
  acceptedStatuses,
  currentStatuses,
  type GoldenStatus,
  goldenFile,
  nameOf,
} from "../test/golden/golden-status.ts";

/**
 * Accepts golden statuses: appends those that test/golden/statuses.json does not have yet and prints them, for a person to look at. It never
 * changes one: a changed status changes somebody's program, so it ends with 1 and says which. To accept a change on purpose, remove the
 * entry by hand, run this again, and say so in the changelog.
 */
function acceptNewStatuses(): void {
  const accepted = existsSync(goldenFile) ? acceptedStatuses() : [];
  const current = currentStatuses();
  const changed = accepted.filter((entry) => !current.some((candidate) => isDeepStrictEqual(candidate, entry)));
  if (changed.length > 0) {
    console.error("These accepted statuses are not what the code sends now:");
    for (const entry of changed) printChange(entry, current);
    process.exitCode = 1;
    return;
  }
  const known = new Set(accepted.map(nameOf));
  const added = current.filter((entry) => !known.has(nameOf(entry)));
  for (const entry of added) printStatus(entry);
  if (added.length > 0) writeStatuses([...accepted, ...added]);
  console.log(`${accepted.length} unchanged, ${added.length} appended: look at each of them before you commit`);
}

function printStatus({ detailsBase64, ...entry }: GoldenStatus): void {
  console.log(`\n${nameOf(entry)}: ${detailsBase64.length} characters of base64`);
  console.log(`  ${entry.code} ${entry.text}`);
  console.log(`  ${JSON.stringify(entry.metadata)}`);
}

function printChange(entry: GoldenStatus, current: readonly GoldenStatus[]): void {
  const now = current.find((candidate) => nameOf(candidate) === nameOf(entry));
  console.error(`\n${nameOf(entry)}`);
  console.error(`  accepted ${entry.code} ${entry.text}\n           ${JSON.stringify(entry.metadata)}`);
  console.error(
    now === undefined
      ? "  now      nothing"
      : `  now      ${now.code} ${now.text}\n           ${JSON.stringify(now.metadata)}`,
  );
}

function writeStatuses(statuses: readonly GoldenStatus[]): void {
  writeFileSync(goldenFile, `${JSON.stringify(statuses, undefined, 2)}\n`);
  execFileSync("biome", ["format", "--write", goldenFile], { stdio: "ignore" });
}

acceptNewStatuses();
