import { Command } from "commander";
import { fermataVersion } from "../version.ts";

/** `fermata version`: which Fermata and which Node this is. */
export function version(): Command {
  return new Command("version")
    .description("Print the version of Fermata and of Node")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  fermata version --json")
    .action(({ json }: { readonly json?: true }) => {
      const found = {
        fermata: fermataVersion,
        node: process.versions.node,
        platform: `${process.platform}-${process.arch}`,
      };
      const text = `fermata ${found.fermata} (Node ${found.node}, ${found.platform})`;
      process.stdout.write(`${json === true ? JSON.stringify(found) : text}\n`);
    });
}
