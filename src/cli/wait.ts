import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Config } from "../config.ts";
import { type ConfigOptions, configOf, lookingCommand } from "./config-flags.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { type Probe, type ProbeOptions, probe } from "./probe.ts";

const PAUSE = 100;

/** `fermata wait`: comes back when a sidecar is ready, for scripts that have just started one. */
export function wait(): Command {
  return lookingCommand("wait")
    .description("Wait until the sidecar is ready (exit 0), at most as long as --timeout (exit 69)")
    .option("--target <address>", "ask this data listener by gRPC health instead of the admin listener")
    .option("--service <name>", "wait for one service, such as fermata.palette.v1.PaletteService")
    .addOption(
      new Option("--timeout <duration>", "how long to wait, such as 500ms, 30s or 2m; a bare number is seconds")
        .argParser(toSeconds)
        .default(30, "30s"),
    )
    .addHelpText("after", "\nExample:\n  fermata serve & fermata wait --timeout 10s && echo ready")
    .action(
      async ({ target, service, timeout, json, ...options }: ConfigOptions & ProbeOptions & { timeout: number }) => {
        const asked = { ...(target && { target }), ...(service && { service }) };
        const looked = await until(asked, configOf(options), Date.now() + timeout * 1_000);
        if (json === true) process.stdout.write(`${JSON.stringify(looked)}\n`);
        if (!looked.ready) throw new CommandEnd(exitCodes.unreachable, `not ready after ${timeout} s: ${looked.found}`);
        if (json !== true) process.stdout.write(`ready: ${looked.found}\n`);
      },
    );
}

async function until(asked: ProbeOptions, config: Config, end: number): Promise<Probe> {
  for (;;) {
    const looked = await probe(asked, config, Math.max(1, end - Date.now()));
    if (looked.ready || Date.now() + PAUSE > end) return looked;
    await sleep(PAUSE);
  }
}

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60 };

function toSeconds(text: string): number {
  const [, digits, unit = "s"] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m)?$/.exec(text) ?? [];
  const seconds = Number(digits) * (units[unit] ?? Number.NaN);
  if (!(seconds > 0 && seconds <= 86_400))
    throw new InvalidArgumentError("A duration is needed, such as 30s, at most 24h.");
  return seconds;
}
