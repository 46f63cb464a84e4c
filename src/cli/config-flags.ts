import { Command, Option } from "commander";
import type { Fault } from "../config/faults.ts";
import { flagName, type Leaf, leaves } from "../config/leaves.ts";
import { type Config, type Loaded, loadConfig } from "../config.ts";
import { CommandEnd, exitCodes } from "./exit.ts";

/** Options of a command that takes a config: the file, and a value for each flag that was given. */
export type ConfigOptions = Readonly<Record<string, unknown>> & { readonly config?: string };

/** A command with `--config` and one flag for each setting that has one. */
export function configCommand(name: string): Command {
  const command = new Command(name).option("--config <file>", "config file, YAML or JSON (FERMATA_CONFIG)");
  return leaves.reduce((taking, leaf) => {
    const option = toOption(leaf);
    return option === undefined ? taking : taking.addOption(option);
  }, command);
}

/** A command that looks for a sidecar: it takes every flag that the sidecar was started with, and shows those that it looks by. */
export function lookingCommand(name: string): Command {
  const command = configCommand(name);
  for (const option of command.options)
    option.hideHelp(!["--config", "--listen", "--admin-listen"].includes(option.long ?? ""));
  return command.option("--json", "print JSON");
}

/** The config of these options. Ends the command with 78 and everything that is wrong; warnings go to stderr. */
export function loadedConfig(options: ConfigOptions): Extract<Loaded, { kind: "loaded" }> {
  const { config: file, ...flags } = options;
  const loaded = loadConfig(file, flags);
  if (loaded.kind === "faulty") throw new CommandEnd(exitCodes.config, faultsText(loaded.faults));
  for (const warning of loaded.warnings) process.stderr.write(`warning: ${warning}\n`);
  return loaded;
}

/** The config alone, for commands that need nothing of where it came from. */
export function configOf(options: ConfigOptions): Config {
  return loadedConfig(options).config;
}

function toOption(leaf: Leaf): Option | undefined {
  const flag = flagName(leaf);
  if (flag === undefined) return undefined;
  const value = leaf.title ?? "value";
  switch (leaf.kind) {
    case "boolean":
      return new Option(flag, leaf.description);
    case "list":
      return new Option(`${flag} <${value}>`, `${leaf.description} (repeatable)`).argParser(collect);
    case "text":
    case "number":
    case "structure":
      return new Option(`${flag} <${value}>`, leaf.description);
  }
}

/** Collects an option that may be repeated; commander hands over what was collected so far. */
export function collect(value: string, sofar: readonly string[] | undefined): readonly string[] {
  return [...(sofar ?? []), value];
}

function faultsText(faults: readonly Fault[]): string {
  const title = faults.length === 1 ? "the config has a fault" : `the config has ${faults.length} faults`;
  return [title, ...faults.map(faultText)].join("\n\n");
}

function faultText({ path, got, expected, from }: Fault): string {
  const where = from === undefined ? "" : `  (${from})`;
  return `  ${path || "the config"}${where}\n    got       ${got}\n    expected  ${expected}`;
}
