import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Config } from "../config.ts";
import { configOf } from "./config-flags.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
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
    .option("--data-dir <folder>", "folder of the embedded store (FERMATA_DATA_DIR)");
}

/** Adds `--json` for commands that have no message of a sidecar to print. */
export function withJson(command: Command): Command {
  return command.option("--json", "print JSON");
}

/** The data folder that the options and the config name. */
export function dataDirOf(options: FilesOptions): string {
  return filesConfig(options).dataDir;
}

/** The config that the options name, which has a data folder. */
export function filesConfig({ config, dataDir }: FilesOptions): Config {
  const found = configOf({ ...(config !== undefined && { config }), ...(dataDir !== undefined && { dataDir }) });
  if (found.dataDir !== "") return found;
  throw new CommandEnd(exitCodes.config, "no data folder is configured: give --data-dir or FERMATA_DATA_DIR");
}

/** `fermata backup`: a consistent copy, while sidecars go on serving. */
export function backup(): Command {
  return withJson(withFiles(new Command("backup")))
    .description("Copy the embedded store to a new file while it goes on serving")
    .argument("<file>", "the file to write; it must not exist")
    .addHelpText("after", "\nExample:\n  fermata backup /backups/fermata-2027-01-01.sqlite")
    .action(async (file: string, options: FilesOptions) => {
      const dataDir = dataDirOf(options);
      const { backUpStore } = await import("../store/open.ts");
      if (existsSync(file)) throw new CommandEnd(exitCodes.usage, `${file} exists already: name a file that does not`);
      inStore(dataDir, () => backUpStore(dataDir, file));
      const text = `the store of ${dataDir} has been copied to ${file}`;
      process.stdout.write(`${options.json === true ? JSON.stringify({ dataDir, file }) : text}\n`);
    });
}
