import type { Header, Origin, StoredCheckpoint, StoredThread } from "../../domain/conversation/stored.ts";
import { BoundaryKind } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { bytes, integer, optional, type Row, text } from "./rows.ts";

/** A thread with its row id, which never leaves the engine. */
export interface ThreadRow extends StoredThread {
  readonly rowId: number;
}

/** A checkpoint with what only the engine needs: its row, and the rows of its chunks. */
export interface CheckpointRow {
  readonly rowId: number;
  readonly stored: StoredCheckpoint;
  readonly chunks: readonly bigint[];
}

/** Reads a row of `thread` left-joined with `legacy_key`. */
export function threadOf(row: Row): ThreadRow {
  const minted = integer(row, "minted") === 1;
  const tenantId = text(row, "tenant_id");
  const quarantined = !minted && tenantId === "";
  return {
    rowId: integer(row, "thread_row"),
    key: text(row, "thread_key"),
    identity: minted
      ? { tenantId, subTenantId: text(row, "sub_tenant_id"), sessionId: text(row, "session_id") }
      : undefined,
    tenantId: tenantId === "" ? undefined : tenantId,
    quarantine: quarantined ? quarantineOf(row) : undefined,
    head: { checkpointId: text(row, "head_checkpoint_id"), sequence: integer(row, "head_sequence") },
  };
}

/** How a thread's key fails to prove its tenant. */
export function quarantineOf(row: Row): { readonly separatorsFound: number; readonly separatorsExpected: number } {
  return {
    separatorsFound: integer(row, "separators_found"),
    separatorsExpected: integer(row, "separators_expected"),
  };
}

/** Reads a row of `checkpoint` as part of this thread: a row that was moved there fails its digest. */
export function checkpointOf(row: Row, thread: StoredThread): CheckpointRow {
  return {
    rowId: integer(row, "id"),
    stored: {
      header: headerOf(row, thread),
      envelopeVersion: integer(row, "envelope_version"),
      digest: bytes(row, "digest"),
      state: stateOf(row),
      prunedAt: optional(row, "pruned_at", integer),
    },
    chunks: unpackIds(bytes(row, "chunks")),
  };
}

/** Row ids as one blob, eight bytes each. */
export function packIds(ids: readonly bigint[]): Uint8Array {
  return new Uint8Array(BigInt64Array.from(ids).buffer);
}

/** The row ids in a blob. They stay whole numbers of 64 bits: a damaged one must not become another by rounding. */
export function unpackIds(blob: Uint8Array<ArrayBuffer>): readonly bigint[] {
  const whole = blob.buffer.slice(blob.byteOffset, blob.byteOffset + (blob.length & ~7));
  return [...new BigInt64Array(whole)];
}

function headerOf(row: Row, thread: StoredThread): Header {
  return {
    checkpointId: text(row, "checkpoint_id"),
    threadKey: thread.key,
    identity: thread.identity,
    sequence: integer(row, "sequence"),
    parentCheckpointId: optional(row, "parent_checkpoint_id", text),
    sourceCheckpointId: optional(row, "source_checkpoint_id", text),
    origin: originOf(text(row, "origin")),
    createTime: integer(row, "create_time"),
    writtenTime: optional(row, "written_time", integer),
    host: { runtime: text(row, "host_runtime"), version: text(row, "host_version"), model: text(row, "host_model") },
    format: text(row, "format"),
    boundary: boundaryOf(row),
    claimedProof: optional(row, "claimed_proof", text),
    payload: {
      kind: text(row, "payload_kind") === "binary" ? "binary" : "text",
      length: integer(row, "payload_length"),
      digest: bytes(row, "payload_digest"),
    },
  };
}

function boundaryOf(row: Row): Header["boundary"] {
  const kind = integer(row, "boundary_kind") as BoundaryKind; // Generated enums are open: any number is one.
  if (kind === BoundaryKind.UNSPECIFIED) return undefined;
  return { kind, proof: text(row, "boundary_proof"), entries: integer(row, "boundary_entries") };
}

const origins: ReadonlySet<string> = new Set(["issued", "replayed", "adopted"]);
const kinds: ReadonlySet<string> = new Set(["text", "binary"]);

function originOf(word: string): Origin {
  return word === "replayed" || word === "adopted" ? word : "issued";
}

/** Pruning leaves a time and no chunks, both or neither; one without the other is damage, too. */
function stateOf(row: Row): StoredCheckpoint["state"] {
  const word = text(row, "state");
  const pruned = optional(row, "pruned_at", integer) !== undefined;
  if (pruned && bytes(row, "chunks").length > 0) return "damaged";
  if (!origins.has(text(row, "origin")) || !kinds.has(text(row, "payload_kind"))) return "damaged";
  return word === "active" || word === "retired" || word === "discarded" ? word : "damaged";
}
