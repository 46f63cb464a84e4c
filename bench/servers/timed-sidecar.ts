import { readConfig } from "../../src/config.ts";
import { startSidecar } from "../../src/sidecar.ts";
import { createRequestLog } from "../../src/transport/request-log.ts";

/** A sidecar whose main thread has a 1 ms timer. Each message from the parent is answered with the delays since the last one. */
const loaded = readConfig({ file: { name: "bench", text: process.argv[2] ?? "{}" }, env: {}, flags: {} });
if (loaded.kind === "faulty") throw new Error(JSON.stringify(loaded.faults));
const sidecar = await startSidecar(loaded.config, createRequestLog(loaded.config.logLevel));

let delays: number[] = [];
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  delays.push(now - last);
  last = now;
}, 1);

process.on("message", () => {
  process.send?.({ delays });
  delays = [];
});
process.on("disconnect", () => process.exit(0));
process.send?.({ address: sidecar.listening[0] });
