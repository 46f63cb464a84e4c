import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** What buf ends with when it compared, and found that a caller would break. Every other code but 0 says that it could not compare. */
const finding = 100;

/** Compares proto/ with the branch main. Where there is nothing to compare with, it says so by name, and only then passes without. */
function compare(): number {
  const base = ["main", "origin/main"].find((ref) => git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`) !== "");
  if (base === undefined) return skipped("this clone has no branch main (a shallow clone?)");
  if (git("ls-tree", "-r", "--name-only", base, "proto") === "") return skipped(`${base} has no protos yet`);
  return compareWith(base);
}

function compareWith(base: string): number {
  const { status } = spawnSync("buf", ["breaking", "--against", `.git#ref=${base}`], { cwd: root, stdio: "inherit" });
  if (status === 0) console.log(`buf breaking: nothing breaks a caller of ${base}`);
  if (status === finding) console.error(`buf breaking: a program written against ${base} would break`);
  if (status !== 0 && status !== finding)
    console.error(`buf breaking: could not compare with ${base} (exit ${status})`);
  return status === 0 ? 0 : 1;
}

function skipped(why: string): number {
  console.log(`buf breaking: nothing to compare with, ${why}`);
  return 0;
}

/** What git prints; nothing when it fails. */
function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "";
}

process.exitCode = compare();
