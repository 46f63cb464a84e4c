import { CheckpointFormat_Cause, SessionIdentity_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Refusal, refuse } from "../outcome.ts";
import { isIntact } from "./envelope.ts";
import type { Found } from "./found.ts";
import { unattributed } from "./legacy-key.ts";
import type { Quarantine } from "./stored.ts";

/** What a read asked for, as far as the rows on identity and place judge it. */
export interface Asked {
  readonly claimedTenantId: string | undefined;
  /** Absent: the head. */
  readonly checkpointId: string | undefined;
}

/** Row 3. The other tenant is not named: a claim must not find out whose thread it is. */
export function tenantMismatch(asked: Asked, found: Found): Refusal | undefined {
  const recorded = found.kind === "no-thread" ? undefined : found.thread.tenantId;
  if (recorded === undefined || asked.claimedTenantId === undefined) return undefined;
  if (recorded === asked.claimedTenantId) return undefined;
  return refuse("sessionIdentity", { cause: SessionIdentity_Cause.TENANT_MISMATCH, field: "claimed_tenant_id" });
}

/** Row 4. An identity names a tenant, and so does a claim; the exact key alone names none. */
export function quarantined(asked: Asked, found: Found): Refusal | undefined {
  if (found.beside !== undefined) return unattributed(found.beside);
  const quarantine = quarantineOf(found);
  return quarantine !== undefined && asked.claimedTenantId !== undefined ? unattributed(quarantine) : undefined;
}

/** The part of row 5 that every read shares: there is no such thread or checkpoint. */
export function absent(asked: Asked, found: Found): Refusal | undefined {
  if (found.kind === "no-thread") return refuse("threadNotFound", {});
  return found.kind === "no-checkpoint" ? headless(asked.checkpointId, found.thread.head.checkpointId) : undefined;
}

/** The rest of row 5: its facts are there, but nobody goes on from it. Never an older one instead. */
export function gone(found: Found): Refusal | undefined {
  if (found.kind !== "checkpoint") return undefined;
  const { state, prunedAt, header } = found.checkpoint;
  const over = state === "retired" || state === "discarded" || (state === "active" && prunedAt !== undefined);
  return over ? refuse("checkpointNotFound", { checkpointId: header.checkpointId }) : undefined;
}

/** The part of row 6 that needs no payload: whether what is stored is what was written, at the place where it was. */
export function damaged(found: Found): Refusal | undefined {
  if (found.kind !== "checkpoint" || (found.inPlace && isIntact(found.checkpoint))) return undefined;
  return corrupt(found.checkpoint.header.checkpointId);
}

/** CORRUPT, of our own envelope. */
export function corrupt(checkpointId: string): Refusal {
  return refuse("checkpointFormat", { cause: CheckpointFormat_Cause.CORRUPT, checkpointId });
}

/** A thread always has a head: one that is not where it should be is damage, not an absence. */
function headless(asked: string | undefined, head: string): Refusal {
  return asked === undefined ? corrupt(head) : refuse("checkpointNotFound", { checkpointId: asked });
}

function quarantineOf(found: Found): Quarantine | undefined {
  return found.kind === "no-thread" ? undefined : found.thread.quarantine;
}
