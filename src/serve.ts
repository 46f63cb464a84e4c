import { constants } from "node:os";
import { ClockFault } from "./clock.ts";
import type { Config } from "./config.ts";
import { type Sidecar, startSidecar } from "./sidecar.ts";
import { StoreFault } from "./store/fault.ts";
import { ListenFault } from "./transport/listener.ts";
import { createRequestLog, type RequestLog } from "./transport/request-log.ts";
import { causeOfThrown } from "./transport/thrown.ts";
import { within } from "./within.ts";

/** Exit codes of `serve` that are decided here; the command line documents all. */
const exitListener = 71;
const exitBug = 70;
const exitStore = 74;
const exitConfig = 78;
const signalled = 128;

/** How long calls may still end after a bug outside any call, in milliseconds. */
const bugDrain = 2_000;

/** Runs a sidecar as all that this process does, until a signal ends it. What it answers is the process's exit code. */
export async function runSidecar(config: Config): Promise<number> {
  const log = createRequestLog(config.logLevel);
  let sidecar: Sidecar;
  try {
    sidecar = await startSidecar(config, log);
  } catch (thrown) {
    return cannotStart(thrown);
  }
  log.note("serving", { listening: sidecar.listening, admin: sidecar.admin, config: config.digest });
  const code = await ended(sidecar, log);
  log.note("ended", { code });
  await log.flush();
  return code;
}

/** What ends a start, said on stderr. What is neither is a bug. */
function cannotStart(thrown: unknown): number {
  if (thrown instanceof ListenFault) {
    process.stderr.write(`fermata: cannot listen (--listen, --operator-listen, --admin-listen): ${thrown.message}\n`);
    return exitListener;
  }
  if (thrown instanceof StoreFault) {
    process.stderr.write(`fermata: cannot open the store (--data-dir): ${thrown.message}\n`);
    return thrown.fault === "corrupt" || thrown.fault === "folder" ? exitStore : exitConfig;
  }
  if (thrown instanceof ClockFault) {
    process.stderr.write(`fermata: --test-clock: ${thrown.message}\n`);
    return exitConfig;
  }
  throw thrown;
}

/** Resolves with the exit code: after a drain at SIGTERM or SIGINT, after a short one at a bug. A second signal ends the process at once. */
function ended(sidecar: Sidecar, log: RequestLog): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      log.note("stopping", { signal });
      if (stopping) {
        void log.flush();
        process.exit(signalled + constants.signals[signal]);
      }
      stopping = true;
      void sidecar.stop().then(() => resolve(0));
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
    let failed = false;
    const onBug = (thrown: unknown): void => {
      if (failed) return; // what follows from the first during its drain
      failed = true;
      log.bug("outside any call", causeOfThrown(thrown));
      const end = (): void => resolve(exitBug);
      void within(bugDrain, sidecar.stop()).then(end, end);
    };
    process.on("uncaughtException", onBug).on("unhandledRejection", onBug);
  });
}
