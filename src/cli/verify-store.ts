import { Command } from "commander";
import { dataDirOf, type FilesOptions, withFiles, withJson } from "./backup.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { inStore } from "./in-store.ts";
import { bad, good } from "./style.ts";

/** What a verification found, as the store answers it. */
interface Verification {
  readonly storeId: string;
  readonly incarnation: string;
  readonly threads: number;
  readonly checkpoints: number;
  readonly payloads: number;
  readonly pruned: number;
  readonly highWater: { readonly checkpointId: string; readonly createTime: number } | undefined;
  readonly damage: readonly {
    readonly kind: string;
    readonly checkpointId: string | undefined;
    readonly words: string;
  }[];
}

/** `fermata verify-store`: every digest of the embedded store, while sidecars may go on serving it. */
export function verify(): Command {
  return withJson(withFiles(new Command("verify-store")))
    .description("Check every digest of the embedded store and say what its newest checkpoint is")
    .addHelpText("after", "\nExample:\n  fermata verify-store --data-dir /var/lib/fermata")
    .action(async (options: FilesOptions) => {
      const dataDir = dataDirOf(options);
      const { verifyStore } = await import("../store/open.ts");
      const found = inStore(dataDir, () => verifyStore(dataDir));
      const text = options.json === true ? JSON.stringify(found, null, 2) : verificationText(found);
      process.stdout.write(`${text}\n`);
      if (found.damage.length > 0) throw new CommandEnd(exitCodes.store, "the store is damaged");
    });
}

/** What was found, for a person. */
export function verificationText(found: Verification): string {
  const { highWater, damage } = found;
  const newest =
    highWater === undefined ? "none" : `${highWater.checkpointId}, ${new Date(highWater.createTime).toISOString()}`;
  const lines = damage.map(({ checkpointId, words }) => `  ${bad("damaged")}  ${checkpointId ?? "the file"}: ${words}`);
  return [
    `store        ${found.storeId}, incarnation ${found.incarnation}`,
    `holds        ${found.threads} threads, ${found.checkpoints} checkpoints, ${found.pruned} of them pruned`,
    `newest       ${newest}`,
    damage.length === 0 ? good(`verified     ${found.payloads} payloads and every envelope`) : lines.join("\n"),
  ].join("\n");
}
