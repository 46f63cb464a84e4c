import type { BoundaryKind } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { hex } from "../digest.ts";
import { isObject, type Json } from "../formats/json.ts";
import type { Header } from "./stored.ts";

/** A header as members of a JSON envelope, named as on the wire. Absent is null. */
export function headerToJson(header: Header): Json {
  const { identity, boundary, payload } = header;
  return {
    checkpoint_id: header.checkpointId,
    thread_key: header.threadKey,
    identity:
      identity === undefined
        ? null
        : { tenant_id: identity.tenantId, sub_tenant_id: identity.subTenantId, session_id: identity.sessionId },
    sequence: header.sequence,
    parent_checkpoint_id: header.parentCheckpointId ?? null,
    source_checkpoint_id: header.sourceCheckpointId ?? null,
    origin: header.origin,
    create_time: header.createTime,
    written_time: header.writtenTime ?? null,
    host: { ...header.host },
    format: header.format,
    boundary: boundary === undefined ? null : { kind: boundary.kind, proof: boundary.proof, entries: boundary.entries },
    boundary_proof: header.claimedProof ?? null,
    payload_kind: payload.kind,
    payload_bytes: payload.length,
    payload_digest: hex(payload.digest),
  };
}

/** The header in a JSON envelope. Nothing if a member is missing or of another type; the digest decides about the rest. */
export function headerFromJson(json: Json): Header | undefined {
  try {
    return readHeader(new Members(json));
  } catch (thrown) {
    if (thrown instanceof Unreadable) return undefined;
    throw thrown;
  }
}

/** Thrown by `Members` and caught by `headerFromJson` only. */
class Unreadable extends Error {}

function readHeader(from: Members): Header {
  const identity = from.part("identity");
  const boundary = from.part("boundary");
  const host = from.part("host") ?? new Members({});
  const kind = from.text("payload_kind");
  const origin = from.text("origin");
  if (kind !== "text" && kind !== "binary") throw new Unreadable();
  if (origin !== "issued" && origin !== "replayed" && origin !== "adopted") throw new Unreadable();
  return {
    checkpointId: from.text("checkpoint_id"),
    threadKey: from.text("thread_key"),
    identity: identity && {
      tenantId: identity.text("tenant_id"),
      subTenantId: identity.text("sub_tenant_id"),
      sessionId: identity.text("session_id"),
    },
    sequence: from.whole("sequence"),
    parentCheckpointId: from.optional("parent_checkpoint_id", from.text),
    sourceCheckpointId: from.optional("source_checkpoint_id", from.text),
    origin,
    createTime: from.whole("create_time"),
    writtenTime: from.optional("written_time", from.whole),
    host: { runtime: host.text("runtime"), version: host.text("version"), model: host.text("model") },
    format: from.text("format"),
    boundary: boundary && {
      kind: boundary.whole("kind") as BoundaryKind, // Generated enums are open: any number is one.
      proof: boundary.text("proof"),
      entries: boundary.whole("entries"),
    },
    claimedProof: from.optional("boundary_proof", from.text),
    payload: { kind, length: from.whole("payload_bytes"), digest: Buffer.from(from.text("payload_digest"), "hex") },
  };
}

/** The members of a JSON object, each read as the one type that it may have. */
class Members {
  readonly #json: Json;

  constructor(json: Json) {
    this.#json = json;
  }

  readonly text = (name: string): string => {
    const value = this.#json[name];
    if (typeof value !== "string") throw new Unreadable();
    return value;
  };

  readonly whole = (name: string): number => {
    const value = this.#json[name];
    if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new Unreadable();
    return value;
  };

  optional<T>(name: string, read: (name: string) => T): T | undefined {
    return this.#json[name] === null ? undefined : read(name);
  }

  part(name: string): Members | undefined {
    const value = this.#json[name];
    if (value === null) return undefined;
    if (!isObject(value)) throw new Unreadable();
    return new Members(value);
  }
}
