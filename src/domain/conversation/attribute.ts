import { SessionIdentity_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { firstRefusal, type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { invalidRequest } from "../violation.ts";
import { type Attribution, keepingSession, type Recorded } from "./attribution.ts";
import { countedBy } from "./drain-count.ts";
import { corrupt } from "./located.ts";
import type { Instant, StoredThread } from "./stored.ts";
import type { Change } from "./write.ts";
import type { Facts } from "./write-facts.ts";

/** An operator's record of who owns a key. It is compared and stored, never minted: any usable value may be in it. */
export interface AttributeWrite {
  readonly kind: "attribute";
  readonly target: { readonly by: "key"; readonly key: string };
  readonly now: Instant;
  readonly record: Attribution;
}

/** A record on a thread whose key proves nobody. The same record again is answered as before. */
export function decideAttribute({ record: said, now }: AttributeWrite, facts: Facts): Outcome<Change> {
  const { thread, head, recorded, holds } = facts;
  if (thread === undefined || recorded === undefined) return refuse("threadNotFound", {});
  if (head === undefined) return corrupt(thread.head.checkpointId);
  const record = keepingSession(said, recorded.newest);
  if (recorded.newest !== undefined && isSame(recorded.newest, record)) {
    return ok({ kind: "repeat", first: { checkpoint: head, midFrame: undefined }, thread });
  }
  const refusal = firstRefusal([
    () => hasIdentity(thread),
    () => supersedesOther(record, recorded),
    () => taken(recorded),
  ]);
  const counted = countedBy(holds, { tenantId: record.owner.tenantId, format: head.header.format });
  return refusal ?? ok({ kind: "attribute", thread: attributed(thread, record), head, record, now, counted });
}

function hasIdentity({ identity }: StoredThread): Refusal | undefined {
  return identity === undefined ? undefined : mismatch("tenant_id");
}

function supersedesOther({ supersedes }: Attribution, { newest }: Recorded): Refusal | undefined {
  return supersedes === (newest?.owner.tenantId ?? "") ? undefined : mismatch("supersedes");
}

function mismatch(field: string): Refusal {
  return refuse("sessionIdentity", { cause: SessionIdentity_Cause.TENANT_MISMATCH, field });
}

/** Two threads of one identity would be a fork that nobody sees. */
function taken(recorded: Recorded): Refusal | undefined {
  if (!recorded.taken) return undefined;
  const description = "makes an identity that another thread has; leave it out, and the thread is found by its key";
  return invalidRequest([{ field: "session_id", rule: "TAKEN", description }]);
}

/** What was sealed without an identity stays so: the digests of its checkpoints do not cover the record. */
function attributed({ key, identity, head }: StoredThread, { owner }: Attribution): StoredThread {
  return { key, identity, tenantId: owner.tenantId, quarantine: undefined, head };
}

function isSame(one: Attribution, other: Attribution): boolean {
  const parts = ({ owner, actor, reason, ticket, supersedes }: Attribution): string =>
    JSON.stringify([owner.tenantId, owner.subTenantId, owner.sessionId, actor, reason, ticket, supersedes]);
  return parts(one) === parts(other);
}
