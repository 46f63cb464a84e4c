import type { Boundary, Host } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { Refusal } from "../outcome.ts";
import type { Instant, PayloadFacts } from "./stored.ts";
import type { Retry } from "./write.ts";

/** What every write of a document brings. What depends only on the document and the clock is judged before it is sent. */
export interface Submitted {
  readonly checkpointId: string;
  readonly now: Instant;
  readonly retry: Retry;
  readonly host: Pick<Host, "runtime" | "version" | "model">;
  readonly format: string;
  readonly claimedProof: string | undefined;
  readonly payload: PayloadFacts;
  readonly boundary: Pick<Boundary, "kind" | "proof" | "entries"> | undefined;
  /** What speaks against the document itself. It answers after the thread and before the gate. */
  readonly unfit: Refusal | undefined;
}
