import { defineConfig } from "vitest/config";

/** Node strips types by WebAssembly, and V8 may crash when threads load many .ts files at once (nodejs/node#64500): not with this flag. */
const execArgv = ["--no-wasm-generic-wrapper"];

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000, pool: "forks", execArgv },
});
