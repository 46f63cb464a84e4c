import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { isIntact } from "./envelope.ts";
import type { Found, FoundCheckpoint } from "./found.ts";
import { type Asked, absent, corrupt, damaged, quarantined, tenantMismatch } from "./located.ts";
import type { Quarantine, StoredCheckpoint, StoredThread } from "./stored.ts";

/** Whether the facts of a checkpoint may be shown: rows 3 to 5 and the digest. Retired, discarded and pruned ones have facts. */
export function showCheckpoint(asked: Asked, found: Found): Outcome<FoundCheckpoint> {
  const refusal = firstRefusal([
    () => tenantMismatch(asked, found),
    () => quarantined(asked, found),
    () => absent(asked, found),
    () => damaged(found),
  ]);
  if (refusal !== undefined) return refusal;
  if (found.kind !== "checkpoint") throw new Error("what is not there passed every row");
  return ok(found);
}

/** Whether the checkpoints of a thread may be listed for whoever claims this tenant. */
export function refuseList(
  claimedTenantId: string | undefined,
  thread: StoredThread | undefined,
  beside: Quarantine | undefined,
): Refusal | undefined {
  const found: Found = thread === undefined ? { kind: "no-thread", beside } : { kind: "no-checkpoint", thread, beside };
  const asked = { claimedTenantId, checkpointId: undefined };
  const refusal = tenantMismatch(asked, found) ?? quarantined(asked, found);
  return refusal ?? (thread === undefined ? refuse("threadNotFound", {}) : undefined);
}

/** The first checkpoint of a page that is not what was written: its facts must not be shown, nor left out silently. */
export function firstDamaged(rows: readonly { readonly checkpoint: StoredCheckpoint }[]): Refusal | undefined {
  const found = rows.find(({ checkpoint }) => !isIntact(checkpoint));
  return found === undefined ? undefined : corrupt(found.checkpoint.header.checkpointId);
}
