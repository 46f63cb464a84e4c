import { runSidecar } from "../../src/serve.ts";
import { configOf, temporaryFolder } from "../transport/sidecars.ts";

// For bugs.test.ts: a sidecar in which something throws outside any call, three times, when it gets SIGUSR2.
const folder = temporaryFolder();
process.on("exit", () => folder.remove());
process.on("SIGUSR2", () => {
  setTimeout(() => {
    throw new Error("CANARY: first");
  });
  setTimeout(() => {
    throw new Error("CANARY: second");
  }, 50);
  setTimeout(() => Promise.reject(new Error("CANARY: third")), 100);
});
process.exit(await runSidecar(configOf({ dataDir: folder.path, logLevel: "info" })));
