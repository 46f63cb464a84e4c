import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Command } from "commander";
import { dataDirOf, type FilesOptions, withFiles, withJson } from "./backup.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { inStore } from "./in-store.ts";
import { printable } from "./style.ts";
import { verificationText } from "./verify-store.ts";

/** `fermata restore`: a store from a backup, in an empty folder, frozen until an operator thaws it. */
export function restore(): Command {
  return withJson(withFiles(new Command("restore")))
    .description("Make an embedded store from a backup, in a folder without one; it comes up frozen")
    .argument("<file>", "the file that fermata backup wrote")
    .addHelpText(
      "after",
      "\nExample:\n  fermata restore /backups/fermata-2027-01-01.sqlite --data-dir /var/lib/fermata",
    )
    .action(run);
}

async function run(file: string, options: FilesOptions): Promise<void> {
  const dataDir = dataDirOf(options);
  refuseOther(file);
  const { restoreStore } = await import("../store/open.ts");
  const restored = inStore(`${file} into ${dataDir}`, () => restoreStore(file, dataDir, Date.now()));
  const hold = `issuance is frozen by ${restored.freezeId}: thaw it when hosts may go on from there`;
  const text = `${verificationText(restored.verification)}\n${hold}`;
  process.stdout.write(`${options.json === true ? JSON.stringify(restored, null, 2) : text}\n`);
}

/** What every SQLite database begins with. */
const beginning = "SQLite format 3\0";

/** Ends the command for what can't be a backup, before anything is made in the data folder. */
function refuseOther(file: string): void {
  const found = beginningOf(file);
  if (found === beginning) return;
  const start = found === "" ? "is empty" : `begins with "${printable(found)}"`;
  throw new CommandEnd(
    exitCodes.usage,
    `${file} ${start}, so it is no backup: name the file that fermata backup wrote`,
  );
}

function beginningOf(file: string): string {
  try {
    const handle = openSync(file, "r");
    try {
      if (fstatSync(handle).isDirectory()) throw unusable(file, "is a folder");
      const bytes = Buffer.alloc(beginning.length);
      return bytes.subarray(0, readSync(handle, bytes)).toString("latin1");
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    if (!(thrown instanceof Error && "syscall" in thrown && "code" in thrown)) throw thrown;
    throw unusable(file, `cannot be read (${String(thrown.code)})`);
  }
}

function unusable(file: string, found: string): CommandEnd {
  return new CommandEnd(exitCodes.usage, `${file} ${found}: name the file that fermata backup wrote`);
}
