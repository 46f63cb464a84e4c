import { generateGo } from "./generate-go.ts";
import { generatePython } from "./generate-python.ts";
import { generateSources } from "./generate-sources.ts";

/** `npm run generate`: everything that is made from the protos. `--force` makes it anew, up to date or not. */
const force = process.argv.includes("--force");
generateSources({ force });
generatePython({ force });
generateGo({ force });
