import { toBinary } from "@bufbuild/protobuf";
import type { LegacyKey } from "../../domain/conversation/legacy-key.ts";
import type { Append, Attribute, Change } from "../../domain/conversation/write.ts";
import { UnsafeBoundarySchema } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { CutPayload } from "../ports.ts";
import { recordAttribution } from "./attribution.ts";
import { packIds, type ThreadRow } from "./checkpoint-row.ts";
import { storeChunks } from "./chunks.ts";
import type { Connection } from "./connection.ts";
import { countAdopted, countAttributed } from "./drain-artifacts.ts";
import { type LookedUp, recordEntries } from "./entry-times.ts";
import { retire } from "./replay-source.ts";

/** What a change brings along that no decision needs: the payload's bytes, and the entries that may be new. */
export interface Cargo {
  readonly payload: CutPayload;
  readonly looked: LookedUp;
}

/** Makes a change in the transaction that it was decided in. */
export function applyChange(connection: Connection, change: Change, thread: ThreadRow | undefined, cargo: Cargo): void {
  switch (change.kind) {
    case "repeat":
      return;
    case "append":
      append(connection, change, thread, cargo);
      return;
    case "attribute":
      if (thread !== undefined) attribute(connection, change, thread);
      return;
  }
}

function attribute(connection: Connection, change: Attribute, thread: ThreadRow): void {
  recordAttribution(connection, change, thread);
  countAttributed(connection, { thread: BigInt(thread.rowId), head: thread.head.checkpointId }, change.counted);
}

function append(connection: Connection, change: Append, thread: ThreadRow | undefined, cargo: Cargo): void {
  const threadRow = thread === undefined ? beginThread(connection, change) : moveHead(connection, change, thread);
  const chunks = storeChunks(connection, threadRow, cargo.payload);
  insertCheckpoint(connection, change, threadRow, packIds(chunks));
  if (change.retires !== undefined) retire(connection, change.retires);
  if (change.counted !== undefined) countAdopted(connection, change.checkpoint.header.checkpointId, change.counted);
  keepAnswer(connection, change, threadRow);
  const { origin, createTime, writtenTime } = change.checkpoint.header;
  const seen = origin === "adopted" ? writtenTime : createTime;
  recordEntries(connection, threadRow, { looked: cargo.looked, seen });
}

function beginThread(connection: Connection, change: Append): bigint {
  const row = insertThread(connection, change);
  const legacy = change.begins?.legacy;
  if (legacy !== undefined) keepLegacyKey(connection, row, { key: change.thread.key, legacy });
  return row;
}

/** As bytes beside the text: what a host wrote is what an operator must be able to look up in its ledger. */
function keepLegacyKey(
  { statement }: Connection,
  thread: bigint,
  { key, legacy }: { readonly key: string; readonly legacy: LegacyKey },
): void {
  const { derivation, separatorsFound, separatorsExpected, positional } = legacy;
  statement(
    `INSERT INTO legacy_key (thread_id, raw, derivation, separators_found, separators_expected,
                             tenant_id, sub_tenant_id, session_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    thread,
    new TextEncoder().encode(key),
    derivation,
    BigInt(separatorsFound),
    BigInt(separatorsExpected),
    positional.tenantId,
    positional.subTenantId,
    positional.sessionId,
  );
}

function insertThread({ statement }: Connection, { begins, thread }: Append): bigint {
  const { lastInsertRowid } = statement(
    `INSERT INTO thread (thread_key, tenant_id, sub_tenant_id, session_id, minted,
                         head_checkpoint_id, head_sequence, create_time)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    thread.key,
    thread.identity?.tenantId ?? "",
    thread.identity?.subTenantId ?? "",
    thread.identity?.sessionId ?? "",
    thread.identity === undefined ? 0n : 1n,
    thread.head.checkpointId,
    BigInt(thread.head.sequence),
    BigInt(begins?.now ?? 0),
  );
  return BigInt(lastInsertRowid);
}

function moveHead({ statement }: Connection, { thread: { head } }: Append, thread: ThreadRow): bigint {
  const row = BigInt(thread.rowId);
  statement("UPDATE thread SET head_checkpoint_id = ?, head_sequence = ? WHERE id = ?").run(
    head.checkpointId,
    BigInt(head.sequence),
    row,
  );
  return row;
}

function insertCheckpoint({ statement }: Connection, change: Append, thread: bigint, chunks: Uint8Array): void {
  const { header, envelopeVersion, digest, state } = change.checkpoint;
  const { host, boundary, payload } = header;
  statement(
    `INSERT INTO checkpoint (checkpoint_id, thread_id, sequence, parent_checkpoint_id, source_checkpoint_id,
       envelope_version, origin, create_time, written_time, host_runtime, host_version, host_model, format,
       boundary_kind, boundary_proof, boundary_entries, claimed_proof,
       payload_kind, payload_length, payload_digest, digest, state, chunks)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    header.checkpointId,
    thread,
    BigInt(header.sequence),
    header.parentCheckpointId ?? null,
    header.sourceCheckpointId ?? null,
    BigInt(envelopeVersion),
    header.origin,
    BigInt(header.createTime),
    header.writtenTime === undefined ? null : BigInt(header.writtenTime),
    host.runtime,
    host.version,
    host.model,
    header.format,
    BigInt(boundary?.kind ?? 0),
    boundary?.proof ?? "",
    BigInt(boundary?.entries ?? 0),
    header.claimedProof ?? null,
    payload.kind,
    BigInt(payload.length),
    payload.digest,
    digest,
    state,
    chunks,
  );
}

function keepAnswer({ statement }: Connection, { retry, checkpoint, midFrame }: Append, thread: bigint): void {
  statement(
    `INSERT INTO idempotency (thread_id, key, body, checkpoint_id, mid_frame, create_time) VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(
    thread,
    retry.key,
    retry.body,
    checkpoint.header.checkpointId,
    midFrame === undefined ? null : toBinary(UnsafeBoundarySchema, midFrame),
    BigInt(checkpoint.header.createTime),
  );
}
