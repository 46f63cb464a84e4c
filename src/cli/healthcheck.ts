import type { Command } from "commander";
import { type ConfigOptions, configCommand, configOf } from "./config-flags.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { type ProbeOptions, probe } from "./probe.ts";

const PATIENCE = 3_000; // a probe that waits longer than its own period says nothing new

/** `fermata healthcheck`: one look at a sidecar, for probes of containers without a shell. */
export function healthcheck(): Command {
  return configCommand("healthcheck")
    .description("Look once whether the sidecar is ready (exit 0 or 69)")
    .option("--target <address>", "ask this data listener by gRPC health instead of the admin listener")
    .option("--service <name>", "ask for one service, such as fermata.palette.v1.PaletteService")
    .addHelpText("after", "\nExample:\n  fermata healthcheck\n  fermata healthcheck --target unix:/tmp/fermata.sock")
    .action(async ({ target, service, ...options }: ConfigOptions & ProbeOptions) => {
      const looked = await probe(
        { ...(target && { target }), ...(service && { service }) },
        configOf(options),
        PATIENCE,
      );
      if (!looked.ready) throw new CommandEnd(exitCodes.unreachable, `not ready: ${looked.found}`);
      process.stdout.write(`ready: ${looked.found}\n`);
    });
}
