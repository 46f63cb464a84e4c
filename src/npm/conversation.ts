import type { Client } from "@connectrpc/connect";
import type { ConversationService, IssueResponse } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { FermataError, factsOf } from "./fermata-error.ts";
import { idOf, type Recovery, type Replayed, replayedOf, resumedOf } from "./recovery.ts";
import { type Replay, readReplay } from "./replay.ts";
import { keyOf, refOf, type Thread } from "./thread.ts";
import type { IssueOptions, NewDocument } from "./write-options.ts";

/** What a host asks about a conversation, beside the RPCs as they are. */
export interface ConversationCalls {
  /**
   * Where to go on after a crash: the head if it is safe, else the replay from its last tested boundary. It rejects with a refusal that no
   * replay gets around, THREAD_NOT_FOUND among them.
   */
  recover(thread: Thread): Promise<Recovery>;
  /** The whole replay of a checkpoint, by default of the head. A stream that breaks goes on; rejects with IncompleteReplay, never a part. */
  replay(thread: Thread, checkpointId?: string): Promise<Replay>;
  /** Stores a checkpoint at the thread's head, also one in the middle of a turn. */
  issue(thread: Thread, document: NewDocument, options?: IssueOptions): Promise<IssueResponse>;
}

/** The calls for the threads of one tenant. */
export function conversationCalls(service: Client<typeof ConversationService>, tenant: string): ConversationCalls {
  const replay: ConversationCalls["replay"] = (thread, checkpointId) =>
    readReplay(service, { thread: refOf(thread, tenant), checkpointId });
  const issue: ConversationCalls["issue"] = (thread, document, { expectedHead, ...said } = {}) =>
    service.issue({
      ...said,
      ...(expectedHead !== undefined && { expectedHead }),
      key: keyOf(thread, tenant),
      document,
    });
  const replayed = async (thread: Thread, { refused, checkpointId }: Judged): Promise<Replayed> => {
    const found = await replay(thread, checkpointId);
    const { replayId } = found.header;
    return replayedOf(refused, found, (document, options) =>
      service.registerReplay({ ...options, document, replayId, sourceCheckpointId: idOf(found.source) }),
    );
  };
  const recover = async (thread: Thread): Promise<Recovery> => {
    try {
      const resumed = await service.resume({ thread: refOf(thread, tenant) });
      return resumedOf(resumed, (head, document, options) =>
        issue(thread, document, { ...options, expectedHead: head }),
      );
    } catch (thrown) {
      return await replayed(thread, judgedBy(thrown));
    }
  };
  return { recover, replay, issue };
}

/** What Resume refused. */
interface Judged {
  readonly refused: FermataError;
  /** The checkpoint that was judged: somebody else may have written a head since. */
  readonly checkpointId: string;
}

/** Throws again what no replay gets around. */
function judgedBy(thrown: unknown): Judged {
  const facts = factsOf(thrown, "unsafeBoundary");
  if (!(thrown instanceof FermataError) || facts?.replayPossible !== true) throw thrown;
  return { refused: thrown, checkpointId: facts.checkpointId };
}
