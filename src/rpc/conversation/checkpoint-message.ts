import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { StoredCheckpoint, StoredThread } from "../../domain/conversation/stored.ts";
import type { SupportWindow } from "../../domain/conversation/support-window.ts";
import {
  type Checkpoint,
  type CheckpointRef,
  CheckpointRefSchema,
  CheckpointSchema,
  CheckpointState,
  Origin,
} from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";

/** A stored checkpoint as callers see it. */
export function checkpointMessage(
  thread: StoredThread,
  { header, state, prunedAt }: StoredCheckpoint,
  window: SupportWindow,
): Checkpoint {
  const end = window.formats.get(header.format)?.end;
  return create(CheckpointSchema, {
    ref: checkpointRef(thread, header),
    format: header.format,
    origin: origins[header.origin],
    ...(header.parentCheckpointId === undefined ? {} : { parentCheckpointId: header.parentCheckpointId }),
    ...(header.sourceCheckpointId === undefined ? {} : { sourceCheckpointId: header.sourceCheckpointId }),
    createTime: timestampFromMs(header.createTime),
    host: header.host,
    payloadBytes: BigInt(header.payload.length),
    payloadDigest: header.payload.digest,
    ...(end === undefined ? {} : { supportedUntil: timestampFromMs(end.supportedUntil) }),
    state: state === "active" && prunedAt !== undefined ? CheckpointState.PRUNED : states[state],
  });
}

/** Where a checkpoint stands. While its thread is quarantined it names no tenant to anybody. */
export function checkpointRef(
  { key, tenantId, quarantine }: StoredThread,
  { checkpointId, sequence }: { readonly checkpointId: string; readonly sequence: number },
): CheckpointRef {
  return create(CheckpointRefSchema, {
    checkpointId,
    threadKey: key,
    ...(tenantId === undefined ? {} : { tenantId }),
    sequence: BigInt(sequence),
    quarantined: quarantine !== undefined,
  });
}

const origins = { issued: Origin.ISSUED, replayed: Origin.REPLAYED, adopted: Origin.ADOPTED } as const;

const states = {
  active: CheckpointState.ACTIVE,
  retired: CheckpointState.RETIRED,
  discarded: CheckpointState.DISCARDED,
  damaged: CheckpointState.UNSPECIFIED,
} as const;
