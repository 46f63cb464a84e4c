import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Command } from "commander";
import type { ThreadRefSchema } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { usualTarget } from "./ask.ts";
import { CommandEnd, exitCodes } from "./exit.ts";

/** How a command line names a thread. */
export interface ThreadOptions {
  readonly tenant?: string;
  readonly subTenant?: string;
  readonly session?: string;
  readonly claim?: string;
  readonly checkpoint?: string;
}

/** Adds what names a thread and one of its checkpoints. */
export function withThread(command: Command): Command {
  return withThreadOnly(command).option("--checkpoint <id>", "a checkpoint other than the head");
}

/** Adds what names a thread: its exact key, or the identity. */
export function withThreadOnly(command: Command): Command {
  return command
    .argument("[key]", "the exact key of the thread")
    .option("--tenant <id>", "tenant of the thread's identity")
    .option("--sub-tenant <id>", "sub-tenant of the thread's identity")
    .option("--session <id>", "session of the thread's identity")
    .option("--claim <tenant>", "refuse the thread unless this tenant is recorded as its owner");
}

/** Adds where the sidecar is that is asked. */
export function withTarget(command: Command): Command {
  return command
    .option("--target <address>", "the sidecar to ask, host:port or unix:/path", usualTarget)
    .option("--json", "print the answer as JSON");
}

/** The checkpoint that a command line names: one of the thread's, or its head. */
export function checkpointQuery(key: string | undefined, options: ThreadOptions) {
  const thread = threadRef(key, options);
  return options.checkpoint === undefined ? { thread } : { thread, checkpointId: options.checkpoint };
}

/** The thread that a command line names. Ends the command if it names none, or two. */
export function threadRef(key: string | undefined, options: ThreadOptions): MessageInitShape<typeof ThreadRefSchema> {
  const { tenant, subTenant, session, claim } = options;
  const claimed = claim === undefined ? {} : { claimedTenantId: claim };
  const named = tenant !== undefined || session !== undefined || subTenant !== undefined;
  if (key !== undefined && !named) return { by: { case: "threadKey", value: key }, ...claimed };
  if (key !== undefined || !named) {
    throw new CommandEnd(exitCodes.usage, "name the thread by its key, or by --tenant and --session");
  }
  const identity = {
    tenantId: tenant ?? "",
    sessionId: session ?? "",
    ...(subTenant !== undefined && { subTenantId: subTenant }),
  };
  return { by: { case: "identity", value: identity }, ...claimed };
}
