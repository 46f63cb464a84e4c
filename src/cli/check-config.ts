import type { Command } from "commander";
import { type Config, loadConfig } from "../config.ts";
import { describeRule } from "../domain/palette/rule-text.ts";
import { type ConfigOptions, configCommand, loadedConfig } from "./config-flags.ts";
import { CommandEnd, exitCodes } from "./exit.ts";

const DAY = 86_400_000;

/** `fermata check-config`: every fault of a config at once, or what an operator should know of a sound one. */
export function checkConfig(): Command {
  return configCommand("check-config")
    .description("Check a config and show its stages as HARD or SOFT and its formats with their days left")
    .option("--json", "print JSON: whether it is sound, and every fault")
    .addHelpText("after", "\nExample:\n  fermata check-config --config fermata.yaml")
    .action(({ json, ...options }: ConfigOptions) => {
      if (json === true) return tellScript(options);
      const { config } = loadedConfig(options);
      process.stdout.write(`the config is sound\n\n${stagesText(config)}\n${formatsText(config, Date.now())}`);
    });
}

function tellScript({ config: file, ...flags }: ConfigOptions): void {
  const loaded = loadConfig(file, flags);
  const found =
    loaded.kind === "faulty"
      ? { sound: false, faults: loaded.faults }
      : { sound: true, faults: [], warnings: loaded.warnings, digest: loaded.config.digest };
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  if (loaded.kind === "faulty") throw new CommandEnd(exitCodes.config, "");
}

function stagesText({ palette }: Config): string {
  if (palette.stages.length === 0) return "stages    none: only the host narrows a palette\n";
  const lines = palette.stages.map((stage, index) => {
    const kind = stage.protectsForced ? "SOFT" : "HARD";
    return `  ${index + 1}. ${kind}  ${stage.name}: ${describeRule(stage)}${whenText(stage.when)}\n`;
  });
  const legend = "HARD refuses a call whose forced tool it drops, SOFT keeps the forced tool";
  return `stages    ${legend}\n${lines.join("")}`;
}

function whenText(when: Readonly<Record<string, string>>): string {
  const labels = Object.entries(when).map(([label, value]) => `${label}=${value}`);
  return labels.length === 0 ? "" : `, when ${labels.join(" and ")}`;
}

function formatsText({ formats, supportRoute }: Config, now: number): string {
  const entries = Object.entries(formats);
  if (entries.length === 0) return "formats   none declared: those of the shipped adapters are current\n";
  const lines = entries.map(([name, format]) => {
    const proofs = format.boundaryProofs === undefined ? "" : `; proofs ${format.boundaryProofs.join(", ") || "none"}`;
    return `  ${name}: ${endText(format, now)}${proofs}; ask ${format.supportRoute ?? supportRoute ?? "nobody: no supportRoute"}\n`;
  });
  return `formats\n${lines.join("")}`;
}

function endText(format: Config["formats"][string], now: number): string {
  if (format.supportedUntil === undefined) return "no end";
  const support = `support ${untilText(format.supportedUntil, now)}`;
  return `${support}, replay ${untilText(format.replayUntil ?? format.supportedUntil, now)}`;
}

/** An end is exclusive: in its own instant the format has ended. */
function untilText(end: number, now: number): string {
  const date = new Date(end).toISOString();
  const days = Math.floor(Math.abs(end - now) / DAY);
  return now < end ? `ends ${date} (${days} days left)` : `ended ${date} (${days} days ago)`;
}
