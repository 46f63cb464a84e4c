import { Code } from "@connectrpc/connect";
import type { Checkpoint, Document } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type {
  IssueResponse,
  RegisterReplayResponse,
  ResumeResponse,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { endingHere, FermataError } from "./fermata-error.ts";
import type { Entries, Replay } from "./replay.ts";
import type { NewDocument, WriteOptions } from "./write-options.ts";

/** What an agent goes on from: a `document` that is safe as it is, or, where that is undefined, the entries of a replay. */
export type Recovery = Resumed | Replayed;

/** A head that is safe. It has no entries: the document is all of it. */
export interface Resumed extends Found {
  readonly resumed: ResumeResponse;
  readonly document: Document;
  readonly unsafe: undefined;
  /** Stores what came of it, behind it. */
  register(document: NewDocument, options?: WriteOptions): Promise<IssueResponse>;
}

/** A head in the middle of a turn, replayed. */
export interface Replayed extends Found {
  readonly resumed: undefined;
  readonly document: undefined;
  /** Why it was not safe: `factsOf(unsafe, "unsafeBoundary")`. */
  readonly unsafe: FermataError;
  /** Stores what came of it, in the place of its source. It has to end at a boundary. */
  register(document: NewDocument, options?: WriteOptions): Promise<RegisterReplayResponse>;
}

/** What both have. */
export interface Found extends Entries {
  /** The checkpoint that is resumed or replayed. */
  readonly source: Checkpoint;
  /** Its id: what the next write builds on, as its `expectedHead`. */
  readonly head: string;
}

/** A head that was resumed, and how the next one is stored. */
export function resumedOf(
  resumed: ResumeResponse,
  issue: (head: string, ...written: Parameters<Resumed["register"]>) => Promise<IssueResponse>,
): Resumed {
  const { checkpoint: source, document } = resumed;
  if (source === undefined || document === undefined) {
    throw new FermataError(endingHere(Code.Internal, "the answer has no checkpoint or no document"));
  }
  const head = idOf(source);
  const register: Resumed["register"] = (...written) => issue(head, ...written);
  return { resumed, document, unsafe: undefined, source, head, ...noEntries, register };
}

const noEntries: Entries = { prefix: [], reDrive: [], evidence: [], void: [], inDoubt: [] };

/** A head that was refused, and its replay. */
export function replayedOf(unsafe: FermataError, replay: Replay, register: Replayed["register"]): Replayed {
  const { header: _, ...found } = replay;
  return { resumed: undefined, document: undefined, unsafe, ...found, head: idOf(replay.source), register };
}

/** The id of a checkpoint. */
export function idOf({ ref }: Checkpoint): string {
  return ref?.checkpointId ?? "";
}
