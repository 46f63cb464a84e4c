import { Command } from "commander";
import { dataDirOf, type FilesOptions, withFiles } from "./backup.ts";
import { inStore } from "./in-store.ts";
import { verificationText } from "./verify-store.ts";

/** `fermata restore`: a store from a backup, in an empty folder, frozen until an operator thaws it. */
export function restore(): Command {
  return withFiles(new Command("restore"))
    .description("Make an embedded store from a backup, in a folder without one; it comes up frozen")
    .argument("<file>", "the backup")
    .addHelpText(
      "after",
      "\nExample:\n  fermata restore /backups/fermata-2027-01-01.sqlite --data-dir /var/lib/fermata",
    )
    .action(async (file: string, options: FilesOptions) => {
      const dataDir = dataDirOf(options);
      const { restoreStore } = await import("../store/open.ts");
      const { freezeId, verification } = inStore(() => restoreStore(file, dataDir, Date.now()));
      const hold = `issuance is frozen by ${freezeId}: thaw it when hosts may go on from there`;
      process.stdout.write(`${verificationText(verification)}\n${hold}\n`);
    });
}
