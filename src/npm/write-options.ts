import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DocumentSchema, HostSchema } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";

/** What to store: `documentOf("openai-chat/1", messages)`, or the message of the contract. */
export type NewDocument = MessageInitShape<typeof DocumentSchema>;

/** What may be said of a write. */
export interface WriteOptions {
  /** A repeat with it gets the first answer. Undefined: derived from the head and the document. */
  readonly idempotencyKey?: string;
  /** The proof that the host claims, for a format without an adapter. */
  readonly boundaryProof?: string;
  /** What runs the agent, for people. */
  readonly host?: MessageInitShape<typeof HostSchema>;
}

/** What may be said of a new checkpoint. */
export interface IssueOptions extends WriteOptions {
  /** The checkpoint that it builds on. Undefined: it is the first of its thread. */
  readonly expectedHead?: string | undefined;
}
