import type { Host } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { hex, sha256 } from "../digest.ts";
import type { PayloadFacts } from "./stored.ts";
import type { Retry } from "./write.ts";

/** Everything that an Issue asks for beside its thread. */
export interface IssueBody {
  readonly expectedHead: string | undefined;
  readonly format: string;
  readonly payload: PayloadFacts;
  readonly claimedProof: string | undefined;
  readonly host: Pick<Host, "runtime" | "version" | "model">;
}

/**
 * What makes the retry of an Issue recognisable. Without a key of the caller's, one is derived from the head and the
 * document, so that a retry which lost its answer gets it again; what the host says of itself does not count then.
 */
export function issueRetry(idempotencyKey: string, body: IssueBody): Retry {
  const document = sha256("fermata/issue/1", [
    body.expectedHead === undefined ? "-" : `+${body.expectedHead}`,
    body.format,
    body.payload.kind,
    body.payload.digest,
    body.claimedProof === undefined ? "-" : `+${body.claimedProof}`,
  ]);
  if (idempotencyKey === "") return { key: `derived ${hex(document)}`, shown: "", body: document };
  const { runtime, version, model } = body.host;
  const whole = sha256("fermata/issue-body/1", [document, runtime, version, model]);
  return { key: `given ${idempotencyKey}`, shown: idempotencyKey, body: whole };
}
