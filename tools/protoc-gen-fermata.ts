import { createEcmaScriptPlugin, runNodeJs, type Schema } from "@bufbuild/protoplugin";
import { refusalsPage } from "./refusals-page.ts";
import { readTaxonomy } from "./taxonomy.ts";

const refusalFile = "fermata/refusal/v1/refusal";

/**
 * The plugin that `buf generate` runs beside protoc-gen-es: it writes docs/refusals.md. It may not import src/gen, which the same run is
 * only about to write; so it reads rules and comments from the descriptors that buf hands over.
 */
const plugin = createEcmaScriptPlugin({
  name: "protoc-gen-fermata",
  version: "v1",
  generateTs: writeRefusalsPage,
});

function writeRefusalsPage(schema: Schema): void {
  const file = schema.files.find(({ name }) => name === refusalFile);
  if (file === undefined) return; // buf calls the plugin once per folder of protos
  const page = schema.generateFile("refusals.md");
  for (const line of refusalsPage(readTaxonomy(file))) page.print(line);
}

runNodeJs(plugin);
