import { join } from "node:path";
import { describeWith, root, runOk } from "./programs.ts";
import { type Reader, testReader } from "./readers.ts";

const module = join(root, "test/interop/go");

describeWith("go", ["version"], () => testReader(buildReader));

async function buildReader(): Promise<Reader> {
  await generate();
  await runOk("go", ["build", "-o", "read-statuses", "."], { cwd: module });
  return { program: join(module, "read-statuses"), args: [] };
}

/** The messages in Go, below the reader's own module; protoc-gen-go is a tool of that module. */
async function generate(): Promise<void> {
  const template = {
    version: "v2",
    clean: true,
    managed: {
      enabled: true,
      override: [{ file_option: "go_package_prefix", value: "fermata.dev/test/interop/gen" }],
    },
    plugins: [{ local: ["go", "tool", "protoc-gen-go"], out: "gen", opt: "paths=source_relative" }],
  };
  await runOk("buf", ["generate", join(root, "proto"), "--template", JSON.stringify(template)], { cwd: module });
}
