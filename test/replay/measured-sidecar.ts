import { readConfig } from "../../src/config.ts";
import { startSidecar } from "../../src/sidecar.ts";
import { createRequestLog } from "../../src/transport/request-log.ts";

/** A sidecar that tells its parent how much it holds: what is reachable after a collection, buffers included. Needs --expose-gc. */
const loaded = readConfig({ file: { name: "test", text: process.argv[2] ?? "{}" }, env: {}, flags: {} });
if (loaded.kind === "faulty") throw new Error(JSON.stringify(loaded.faults));
const sidecar = await startSidecar(loaded.config, createRequestLog("silent"));
process.on("message", () => {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ held: heapUsed + external });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ address: sidecar.listening[0] });
