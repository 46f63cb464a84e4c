import { defineConfig } from "vitest/config";

/** Node strips types by WebAssembly, and V8 may crash when threads load many .ts files at once (nodejs/node#64500): not with this flag. */
const execArgv = ["--no-wasm-generic-wrapper"];

/** On two cores vitest would run one file at a time; most of them wait for processes of theirs. */
const maxWorkers = 2;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    execArgv,
    maxWorkers,
  },
});
