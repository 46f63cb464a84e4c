import type { Command } from "commander";
import { type ConfigOptions, configOf, lookingCommand } from "./config-flags.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { type ProbeOptions, probe } from "./probe.ts";

const PATIENCE = 3_000; // a probe that waits longer than its own period says nothing new

/** `fermata healthcheck`: one look at a sidecar, for probes of containers without a shell. */
export function healthcheck(): Command {
  return lookingCommand("healthcheck")
    .description("Look once whether the sidecar is ready (exit 0 or 69)")
    .option("--target <address>", "ask this data listener by gRPC health instead of the admin listener")
    .option("--service <name>", "ask for one service, such as fermata.palette.v1.PaletteService")
    .addHelpText("after", "\nExamples:\n  fermata healthcheck\n  fermata healthcheck --target unix:/tmp/fermata.sock")
    .action(async ({ target, service, json, ...options }: ConfigOptions & ProbeOptions) => {
      const looked = await probe(
        { ...(target && { target }), ...(service && { service }) },
        configOf(options),
        PATIENCE,
      );
      if (json === true) process.stdout.write(`${JSON.stringify(looked)}\n`);
      if (!looked.ready) throw new CommandEnd(exitCodes.unreachable, `not ready: ${looked.found}`);
      if (json !== true) process.stdout.write(`ready: ${looked.found}\n`);
    });
}
