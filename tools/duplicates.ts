import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const finder = join(root, "node_modules/jscpd/bin/jscpd");
const knownFile = join(root, "tools/known-duplicates.json");

/** Two files, in the order of the alphabet, that share text, and how many lines of it. */
interface Pair {
  readonly files: readonly [string, string];
  readonly lines: number;
}

/** What the finder found: the places as well. */
interface FoundPair extends Pair {
  readonly places: readonly string[];
}

/** A pair that stays, with the reason. It may not grow. */
interface KnownPair extends Pair {
  readonly reason: string;
}

/** Fails for text that stands twice, unless tools/known-duplicates.json says why it stays, and for a listed pair that is gone. */
function check(): void {
  const known: readonly KnownPair[] = JSON.parse(readFileSync(knownFile, "utf8"));
  const found = findPairs();
  const grown = found.filter((pair) => !known.some((one) => isSame(one, pair) && pair.lines <= one.lines));
  const gone = known.filter((one) => !found.some((pair) => isSame(one, pair)));
  for (const pair of grown) console.error(`stands twice: ${text(pair)}\n  ${pair.places.join("\n  ")}`);
  for (const pair of gone) console.error(`remove from known-duplicates.json, it is gone: ${text(pair)}`);
  for (const pair of known) console.log(`stays: ${text(pair)}: ${pair.reason}`);
  process.exitCode = grown.length + gone.length > 0 ? 1 : 0;
}

function findPairs(): readonly FoundPair[] {
  const byFiles = Map.groupBy(findClones().map(toPair), ({ files }) => files.join(" "));
  return [...byFiles.values()].map((pairs) =>
    pairs.reduce((sum, { files, lines, places }) => ({
      files,
      lines: sum.lines + lines,
      places: [...sum.places, ...places],
    })),
  );
}

/** What .jscpd.json says of sizes and folders holds. */
function findClones(): readonly Clone[] {
  const output = mkdtempSync(join(tmpdir(), "fermata-duplicates-"));
  try {
    const args = [finder, "--silent", "--reporters", "json", "--output", output];
    execFileSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    const report: unknown = JSON.parse(readFileSync(join(output, "jscpd-report.json"), "utf8"));
    const { duplicates, statistics } = report as Report; // of the pinned jscpd
    if (statistics.total.sources === 0) throw new Error("the finder read no files");
    console.log(`${statistics.total.sources} files read`);
    return duplicates;
  } finally {
    rmSync(output, { recursive: true });
  }
}

interface Report {
  readonly duplicates: readonly Clone[];
  readonly statistics: { readonly total: { readonly sources: number } };
}

interface Clone {
  readonly lines: number;
  readonly firstFile: Place;
  readonly secondFile: Place;
}

interface Place {
  readonly name: string;
  readonly start: number;
}

function toPair({ firstFile, secondFile, lines }: Clone): FoundPair {
  const [first = "", second = ""] = [firstFile.name, secondFile.name].toSorted();
  const place = [firstFile, secondFile].map(({ name, start }) => `${name}:${start}`).join(" and ");
  return { files: [first, second], lines, places: [place] };
}

function isSame(one: Pair, other: Pair): boolean {
  return one.files.join(" ") === other.files.join(" ");
}

function text({ files, lines }: Pair): string {
  return `${files.join(" and ")}, ${lines} lines`;
}

check();
