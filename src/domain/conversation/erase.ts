import type { Refusal } from "../outcome.ts";
import { refuseList } from "./read-facts.ts";
import type { Instant, Quarantine, StoredThread } from "./stored.ts";
import type { Target } from "./thread-key.ts";

/** What is to be erased: one thread, or everything of one tenant. */
export type Erasure =
  | { readonly by: "thread"; readonly target: Target; readonly claimedTenantId: string | undefined }
  | { readonly by: "tenant"; readonly tenantId: string };

/** An operator's erasure. It wins over every hold and everything that is else only appended to. */
export interface EraseWrite {
  readonly kind: "erase";
  readonly what: Erasure;
  readonly actor: string;
  readonly reason: string;
  readonly now: Instant;
  /** Counts, and erases nothing. */
  readonly dryRun: boolean;
}

/** What the engine found of a single thread that is to be erased. */
export interface EraseFacts {
  readonly thread: StoredThread | undefined;
  readonly beside: Quarantine | undefined;
}

/** How much was erased, or would be. */
export interface Erased {
  readonly threads: number;
  readonly checkpoints: number;
}

/** Whether a thread may be erased by whoever names it so: the wrong one would be gone for ever. */
export function refuseErase(claimedTenantId: string | undefined, { thread, beside }: EraseFacts): Refusal | undefined {
  return refuseList(claimedTenantId, thread, beside);
}
