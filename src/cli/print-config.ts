import type { Command } from "commander";
import { stringify } from "yaml";
import type { Effective } from "../config.ts";
import { type ConfigOptions, configCommand, loadedConfig } from "./config-flags.ts";

/** `fermata print-config`: every setting that is in effect and where it came from. The output is itself a config file. */
export function printConfig(): Command {
  return configCommand("print-config")
    .description("Print every effective setting and where it came from; the output is a valid config file")
    .option("--json", "print JSON: the settings, and where each came from")
    .addHelpText("after", "\nExample:\n  fermata print-config --config fermata.yaml --log-level debug")
    .action(({ json, ...options }: ConfigOptions) => {
      const { effective, config } = loadedConfig(options);
      process.stdout.write(
        json === true ? toJson(effective, config.digest) : `${toYaml(effective)}# digest ${config.digest}\n`,
      );
    });
}

function toYaml(effective: readonly Effective[]): string {
  return effective.map((one, index) => `${sectionText(one, effective[index - 1])}${lineText(one)}\n`).join("");
}

/** The line that opens a section, before the first of its settings. */
function sectionText({ leaf }: Effective, before: Effective | undefined): string {
  const [section] = leaf.path;
  return leaf.path.length > 1 && before?.leaf.path[0] !== section ? `${section}:\n` : "";
}

function lineText({ leaf, value, from }: Effective): string {
  const indent = "  ".repeat(leaf.path.length - 1);
  const key = leaf.path.at(-1);
  if (value === undefined) return `${indent}# ${key}: not set`;
  return `${`${indent}${key}: ${flow(value)}`.padEnd(44)} # ${from}`;
}

function flow(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trim();
}

function toJson(effective: readonly Effective[], digest: string): string {
  const written = effective.filter((one) => one.value !== undefined);
  const from = Object.fromEntries(written.map((one) => [one.leaf.path.join("."), one.from]));
  return `${JSON.stringify({ config: written.reduce(withLeaf, {}), from, digest }, null, 2)}\n`;
}

function withLeaf(tree: Readonly<Record<string, unknown>>, { leaf, value }: Effective): Record<string, unknown> {
  const [section = "", key] = leaf.path;
  if (key === undefined) return { ...tree, [section]: value };
  return { ...tree, [section]: { ...(tree[section] as object | undefined), [key]: value } }; // a section is an object
}
