import type { Host } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { hex, sha256 } from "../digest.ts";
import type { Instant, PayloadFacts } from "./stored.ts";

/** What makes a retry recognisable: the key per thread, and the digest of everything that it asked for. */
export interface Retry {
  readonly key: string;
  /** As the caller sent it; empty when the key was derived. */
  readonly shown: string;
  readonly body: Uint8Array;
}

/** What a write asks for beside its thread and what only its own kind has. */
interface Body {
  readonly format: string;
  readonly payload: PayloadFacts;
  readonly claimedProof: string | undefined;
  readonly host: Pick<Host, "runtime" | "version" | "model">;
}

/** Everything that an Issue asks for beside its thread. */
export interface IssueBody extends Body {
  readonly expectedHead: string | undefined;
}

/** Everything that an Adopt asks for beside its thread. */
export interface AdoptBody extends Body {
  readonly writtenTime: Instant | undefined;
}

/** Everything that a RegisterReplay asks for. */
export interface ReplayBody extends Body {
  readonly sourceCheckpointId: string;
  readonly replayId: string;
  readonly expectedHead: string;
}

/**
 * What makes the retry of an Issue recognisable. Without a key of the caller's, one is derived from the head and the
 * document, so that a retry which lost its answer gets it again; what the host says of itself does not count then.
 */
export function issueRetry(idempotencyKey: string, body: IssueBody): Retry {
  return retryOf(idempotencyKey, sha256("fermata/issue/1", [...optional(body.expectedHead), ...parts(body)]), body);
}

/** The same for an Adopt, which names no head: a row can be adopted once. */
export function adoptRetry(idempotencyKey: string, body: AdoptBody): Retry {
  const written = optional(body.writtenTime?.toString());
  return retryOf(idempotencyKey, sha256("fermata/adopt/1", [...written, ...parts(body)]), body);
}

/** The same for a RegisterReplay. */
export function replayRetry(idempotencyKey: string, body: ReplayBody): Retry {
  const replayed = [body.sourceCheckpointId, body.replayId, body.expectedHead];
  return retryOf(idempotencyKey, sha256("fermata/register-replay/1", [...replayed, ...parts(body)]), body);
}

function retryOf(idempotencyKey: string, document: Uint8Array, { host }: Body): Retry {
  if (idempotencyKey === "") return { key: `derived ${hex(document)}`, shown: "", body: document };
  const whole = sha256("fermata/body/1", [document, host.runtime, host.version, host.model]);
  return { key: `given ${idempotencyKey}`, shown: idempotencyKey, body: whole };
}

function parts({ format, payload, claimedProof }: Body): readonly (string | Uint8Array)[] {
  return [format, payload.kind, payload.digest, ...optional(claimedProof)];
}

function optional(value: string | undefined): readonly string[] {
  return value === undefined ? ["-"] : ["+", value];
}
