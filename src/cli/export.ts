import { create } from "@bufbuild/protobuf";
import { Command } from "commander";
import { isIntact, sameBytes } from "../domain/conversation/envelope.ts";
import type { Found } from "../domain/conversation/found.ts";
import { symfonic9 } from "../domain/conversation/legacy-key.ts";
import { payloadDigest } from "../domain/conversation/payload-digest.ts";
import { seal } from "../domain/conversation/sealed.ts";
import { nameThread, type Target } from "../domain/conversation/thread-key.ts";
import { ThreadRefSchema } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { type FilesOptions, filesConfig, withFiles } from "./backup.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { inStore } from "./in-store.ts";
import { type ThreadOptions, threadRef, withThread } from "./thread-options.ts";

type Options = ThreadOptions & FilesOptions;

const examples = `
Examples:
  fermata export acme:_:s1 > checkpoint.json
  fermata export --tenant acme --session s1 --data-dir /var/lib/fermata > checkpoint.json`;

/** `fermata export`: a checkpoint with its envelope as one JSON text. It reads the files, since only they hold the whole envelope. */
export function exportCheckpoint(): Command {
  return withFiles(withThread(new Command("export")))
    .description("Write a checkpoint with its envelope as JSON, read from the files of the embedded store")
    .addHelpText("after", examples)
    .action(run);
}

async function run(key: string | undefined, options: Options): Promise<void> {
  const { dataDir, separator } = filesConfig(options);
  const query = { thread: targetOf(key, options, separator), checkpointId: options.checkpoint };
  const { readCheckpoint } = await import("../store/open.ts");
  process.stdout.write(sealedText(inStore(dataDir, () => readCheckpoint(dataDir, query))));
}

function targetOf(key: string | undefined, options: Options, separator: string): Target {
  const { by } = create(ThreadRefSchema, threadRef(key, options));
  if (by.case !== "identity") return { by: "key", key: by.value ?? "" };
  const named = nameThread(by.value, { separator, derivations: [symfonic9] });
  if (named.kind === "refusal") throw new CommandEnd(exitCodes.usage, "no thread can have this identity");
  return { by: "identity", named: named.value };
}

/** Only what is whole is exported: a copy must not make damage look like a document. */
function sealedText(found: Found): string {
  if (found.kind === "no-thread") throw new CommandEnd(exitCodes.store, "the store has no such thread");
  if (found.kind === "no-checkpoint") throw new CommandEnd(exitCodes.store, "the thread has no such checkpoint");
  const { checkpoint, payload } = found;
  if (payload === undefined) throw new CommandEnd(exitCodes.store, "its payload has been pruned");
  const whole =
    found.inPlace && isIntact(checkpoint) && sameBytes(payloadDigest(payload), checkpoint.header.payload.digest);
  if (!whole) throw new CommandEnd(exitCodes.store, "the checkpoint is damaged: verify-store tells more");
  return seal(checkpoint, payload);
}
