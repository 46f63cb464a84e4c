import type { Command } from "commander";
import { type ConfigOptions, configCommand, configOf } from "./config-flags.ts";

/** `fermata serve`: runs the sidecar until it is told to stop. Signals are the sidecar's business. */
export function serve(): Command {
  return configCommand("serve")
    .description("Run the sidecar")
    .addHelpText(
      "after",
      `
Examples:
  fermata serve --listen 127.0.0.1:50551 --listen unix:/tmp/fermata.sock
  FERMATA_LOG_LEVEL=warn fermata serve --config fermata.yaml

A config file and FERMATA_* variables set all of this and more (limits, palette, formats, tokens):
fermata.sample.yaml shows every setting, fermata print-config what is in effect.`,
    )
    .action(async (options: ConfigOptions) => {
      const config = configOf(options);
      // The servers are loaded by this command only: the others must start fast.
      const { runSidecar } = await import("../serve.ts");
      process.exit(await runSidecar(config)); // what still runs after the drain, it does for nobody
    });
}
