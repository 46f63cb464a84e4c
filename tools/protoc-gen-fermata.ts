import type { DescFile } from "@bufbuild/protobuf";
import { createEcmaScriptPlugin, runNodeJs, type Schema } from "@bufbuild/protoplugin";
import { goErrors } from "./go-errors.ts";
import { pythonErrors } from "./python-errors.ts";
import { refusalsPage } from "./refusals-page.ts";
import { readTaxonomy, type Taxonomy } from "./taxonomy.ts";

const refusalFile = "fermata/refusal/v1/refusal";

/** What is derived from the taxonomy: the option `makes` says which of them a run writes. */
const outputs: Readonly<
  Record<string, { readonly file: string; readonly lines: (taxonomy: Taxonomy, file: DescFile) => readonly string[] }>
> = {
  docs: { file: "refusals.md", lines: refusalsPage },
  python: { file: "errors.py", lines: pythonErrors },
  go: { file: "leaves_gen.go", lines: goErrors },
};

interface Options {
  readonly makes: string;
}

/**
 * The plugin that `buf generate` runs beside the plugins of each language. It may not import src/gen, which the same run is only about to
 * write; so it reads rules and comments from the descriptors that buf hands over.
 */
const plugin = createEcmaScriptPlugin<Options>({
  name: "protoc-gen-fermata",
  version: "v1",
  parseOptions: (options) => ({ makes: options.find(({ key }) => key === "makes")?.value ?? "docs" }),
  generateTs: writeOutput,
});

function writeOutput(schema: Schema<Options>): void {
  const file = schema.files.find(({ name }) => name === refusalFile);
  if (file === undefined) return; // buf calls the plugin once per folder of protos
  const output = outputs[schema.options.makes];
  if (output === undefined) throw new Error(`protoc-gen-fermata makes no ${schema.options.makes}`);
  const page = schema.generateFile(output.file);
  for (const line of output.lines(readTaxonomy(file), file)) page.print(line);
}

runNodeJs(plugin);
