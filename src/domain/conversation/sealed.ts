import { CheckpointFormat_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { hex } from "../digest.ts";
import { isObject, type Json, parseJson } from "../formats/json.ts";
import { type Outcome, ok, type Refusal, refuse } from "../outcome.ts";
import { ENVELOPE_VERSION, envelopeDigest, sameBytes } from "./envelope.ts";
import { payloadDigest } from "./payload-digest.ts";
import { countReservedKey, RESERVED_KEY } from "./reserved-key.ts";
import { headerFromJson, headerToJson } from "./sealed-header.ts";
import type { Header, StoredCheckpoint } from "./stored.ts";

/** A checkpoint that stands outside the store, verified: what it says, and the document in it. */
export interface Opened {
  readonly header: Header;
  readonly payload: Uint8Array;
}

/** A checkpoint with its payload as a JSON text of its own: what `export` writes. */
export function seal(checkpoint: StoredCheckpoint, payload: Uint8Array): string {
  const envelope = {
    envelope_version: checkpoint.envelopeVersion,
    ...headerToJson(checkpoint.header),
    digest: hex(checkpoint.digest),
    payload: Buffer.from(payload).toString("base64"),
  };
  return `${JSON.stringify({ [RESERVED_KEY]: envelope }, undefined, 2)}\n`;
}

/**
 * Opens the envelope under the reserved key of a JSON text; nothing where the key is not there. The version comes
 * first, before anything else is decoded; what is no envelope occupies the key; an envelope that fails is never legacy.
 */
export function unseal(text: string, format: string): Outcome<Opened> | undefined {
  const count = countReservedKey(text);
  if (count === 0) return undefined;
  if (count > 1) return corrupt(format);
  const document = parseJson(text);
  const envelope = isObject(document) ? document[RESERVED_KEY] : undefined;
  if (document === undefined) return corrupt(format);
  if (!isObject(envelope) || !Object.hasOwn(envelope, "envelope_version")) return occupied(format);
  return versionRefusal(envelope, format) ?? verified(envelope, format);
}

function versionRefusal(envelope: Json, format: string): Refusal | undefined {
  const version = envelope["envelope_version"];
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) return corrupt(format);
  if (version <= ENVELOPE_VERSION) return undefined;
  const foundVersion = Math.min(version, 0xffffffff); // The wire has 32 bits; more is newer all the same.
  return refuse("checkpointFormat", { cause: Cause.FUTURE_VERSION, foundVersion, maxVersion: ENVELOPE_VERSION });
}

function verified(envelope: Json, format: string): Outcome<Opened> {
  const header = headerFromJson(envelope);
  const payload = base64(envelope["payload"]);
  if (header === undefined || payload === undefined) return corrupt(format);
  const whole = payload.length === header.payload.length && sameBytes(payloadDigest(payload), header.payload.digest);
  const sealed = envelope["digest"] === hex(envelopeDigest(header));
  return whole && sealed ? ok({ header, payload }) : corrupt(format);
}

function corrupt(format: string): Refusal {
  return refuse("checkpointFormat", { cause: Cause.CORRUPT, format });
}

function occupied(format: string): Refusal {
  return refuse("checkpointFormat", { cause: Cause.RESERVED_KEY_OCCUPIED, reservedKey: RESERVED_KEY, format });
}

/** Strictly: Node's decoder skips what it does not know, so that several texts would read as one payload. */
function base64(value: unknown): Uint8Array | undefined {
  if (typeof value !== "string") return undefined;
  const bytes = Buffer.from(value, "base64");
  return bytes.toString("base64") === value ? bytes : undefined;
}
