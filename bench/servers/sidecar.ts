import { readConfig } from "../../src/config.ts";
import { startSidecar } from "../../src/sidecar.ts";
import { createRequestLog } from "../../src/transport/request-log.ts";
import { reportCpu } from "./cpu.ts";

/** The sidecar as it is shipped, log lines included. Its settings are the argument, as JSON. */
const text = process.argv[2] ?? "{}";
const loaded = readConfig({ file: { name: "bench", text }, env: process.env, flags: {} });
if (loaded.kind === "faulty") throw new Error(JSON.stringify(loaded.faults));
const sidecar = await startSidecar(loaded.config, createRequestLog(loaded.config.logLevel));
reportCpu(sidecar.listening[0] ?? "");
