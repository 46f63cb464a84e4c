import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { Config } from "../config.ts";
import { type ConfigOptions, configCommand, configOf } from "./config-flags.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { type Probe, type ProbeOptions, probe } from "./probe.ts";

const PAUSE = 100;

/** `fermata wait`: comes back when a sidecar is ready, for scripts that have just started one. */
export function wait(): Command {
  return configCommand("wait")
    .description("Wait until the sidecar is ready (exit 0), at most as long as --timeout (exit 69)")
    .option("--target <address>", "ask this data listener by gRPC health instead of the admin listener")
    .option("--service <name>", "wait for one service, such as fermata.palette.v1.PaletteService")
    .option("--timeout <seconds>", "how long to wait", toSeconds, 30)
    .addHelpText("after", "\nExample:\n  fermata serve & fermata wait --timeout 10 && echo ready")
    .action(async ({ target, service, timeout, ...options }: ConfigOptions & ProbeOptions & { timeout: number }) => {
      const asked = { ...(target && { target }), ...(service && { service }) };
      const looked = await until(asked, configOf(options), Date.now() + timeout * 1_000);
      if (!looked.ready) throw new CommandEnd(exitCodes.unreachable, `not ready after ${timeout} s: ${looked.found}`);
      process.stdout.write(`ready: ${looked.found}\n`);
    });
}

async function until(asked: ProbeOptions, config: Config, end: number): Promise<Probe> {
  for (;;) {
    const looked = await probe(asked, config, Math.max(1, end - Date.now()));
    if (looked.ready || Date.now() + PAUSE > end) return looked;
    await sleep(PAUSE);
  }
}

function toSeconds(text: string): number {
  const seconds = Number(text.replace(/s$/, ""));
  if (!(seconds > 0 && seconds <= 86_400)) throw new InvalidArgumentError("A number of seconds is needed, such as 30.");
  return seconds;
}
