import { Command } from "commander";
import { configOf } from "./config-flags.ts";
import { inStore } from "./in-store.ts";

/** Options of the commands that work on the files of the embedded store. */
export interface FilesOptions {
  readonly config?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Adds which store is meant. */
export function withFiles(command: Command): Command {
  return command
    .option("--config <file>", "config file, YAML or JSON (FERMATA_CONFIG)")
    .option("--data-dir <folder>", "folder of the embedded store");
}

/** The data folder that the options and the config name. */
export function dataDirOf({ config, dataDir }: FilesOptions): string {
  return configOf({ ...(config !== undefined && { config }), ...(dataDir !== undefined && { dataDir }) }).dataDir;
}

/** `fermata backup`: a consistent copy, while sidecars go on serving. */
export function backup(): Command {
  return withFiles(new Command("backup"))
    .description("Copy the embedded store to a new file while it goes on serving")
    .argument("<file>", "the file to write; it must not exist")
    .addHelpText("after", "\nExample:\n  fermata backup /backups/fermata-2027-01-01.sqlite")
    .action(async (file: string, options: FilesOptions) => {
      const dataDir = dataDirOf(options);
      const { backUpStore } = await import("../store/open.ts");
      inStore(() => backUpStore(dataDir, file));
      process.stdout.write(`the store of ${dataDir} has been copied to ${file}\n`);
    });
}
