import { create } from "@bufbuild/protobuf";
import { type ThreadRef, ThreadRefSchema } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";

/** Which conversation is meant: a session of the client's tenant by its id, a session of whoever is named, or a thread by its exact key. */
export type Thread = string | Session | ThreadKey;

/** What a conversation belongs to. */
export interface Session {
  readonly sessionId: string;
  /** A part of the tenant. Undefined: none. */
  readonly subTenantId?: string | undefined;
  /** Undefined: the client's. */
  readonly tenantId?: string | undefined;
}

/** A key that was handed out before: it is looked up and never parsed. */
export interface ThreadKey {
  readonly threadKey: string;
  /** Whose the caller takes it for: a read is refused where that is not so. Undefined: no claim. */
  readonly claimedTenantId?: string | undefined;
}

/** The thread of a read. */
export function refOf(thread: Thread, tenant: string): ThreadRef {
  const claimed = isKey(thread) ? thread.claimedTenantId : undefined;
  return create(ThreadRefSchema, {
    by: keyOf(thread, tenant),
    ...(claimed !== undefined && { claimedTenantId: claimed }),
  });
}

/** The thread of a write. No tenant is guessed: without one the sidecar refuses. */
export function keyOf(thread: Thread, tenant: string) {
  if (isKey(thread)) return { case: "threadKey", value: thread.threadKey } as const;
  const { sessionId, subTenantId, tenantId = tenant } = typeof thread === "string" ? { sessionId: thread } : thread;
  const value = { sessionId, tenantId, ...(subTenantId !== undefined && { subTenantId }) };
  return { case: "identity", value } as const;
}

function isKey(thread: Thread): thread is ThreadKey {
  return typeof thread !== "string" && "threadKey" in thread;
}
