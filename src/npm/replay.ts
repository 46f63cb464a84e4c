import { setTimeout as wait } from "node:timers/promises";
import { type Client, Code } from "@connectrpc/connect";
import type { Checkpoint, ThreadRef } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type {
  ConversationService,
  ReplayEntry,
  ReplayHeader,
  ReplayResponse,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { ReplayZone, type TranscriptEntry } from "../gen/fermata/conversation/v1/transcript_pb.ts";
import { endingHere, FermataError, IncompleteReplay } from "./fermata-error.ts";
import { attempts, pauseAfter } from "./transport.ts";

/** The entries of a conversation up to and after its last tested boundary, by what the host does with them. */
export interface Entries {
  /** Up to the boundary: take it over as it is. */
  readonly prefix: readonly TranscriptEntry[];
  /** What a user said after it: give it to the agent again. */
  readonly reDrive: readonly TranscriptEntry[];
  /** Calls and results that happened: where the agent makes the same call again, use the result and do not run it. */
  readonly evidence: readonly TranscriptEntry[];
  /** Cut output, or nothing that counts: leave it. A call in it may be in doubt. */
  readonly void: readonly TranscriptEntry[];
  /** Ids of complete calls without a result. They may have run: never run one again without asking its tool or a person. */
  readonly inDoubt: readonly string[];
}

/** A whole replay. */
export interface Replay extends Entries {
  /** What RegisterReplay wants, and the boundary where the prefix ends. */
  readonly header: ReplayHeader;
  /** The checkpoint that is replayed. */
  readonly source: Checkpoint;
}

/** Which checkpoint to replay. */
export interface Replayable {
  readonly thread: ThreadRef;
  /** Undefined: the head. */
  readonly checkpointId?: string | undefined;
}

/**
 * Reads a replay to its trailer. A stream that breaks (UNAVAILABLE) goes on after the last entry that came, until several in a row bring
 * nothing. A part is never taken for the whole: that is an IncompleteReplay.
 */
export async function readReplay(service: Service, { thread, checkpointId }: Replayable): Promise<Replay> {
  const read: Read = { entries: [], header: undefined, announced: undefined };
  for (let attempt = 1; ; attempt++) {
    const before = read.entries.length;
    const asked = checkpointId ?? read.header?.source?.ref?.checkpointId; // the head may move meanwhile
    const after = read.entries.at(-1)?.entry?.position;
    const request = {
      thread,
      ...(asked !== undefined && { checkpointId: asked }),
      ...(after !== undefined && { afterPosition: after }),
    };
    try {
      for await (const message of service.replay(request)) take(read, message);
      return whole(read);
    } catch (thrown) {
      if (read.entries.length > before) attempt = 1;
      if (!(thrown instanceof FermataError) || thrown.code !== Code.Unavailable || attempt >= attempts) throw thrown;
      await wait(pauseAfter(attempt, thrown));
    }
  }
}

type Service = Pick<Client<typeof ConversationService>, "replay">;

/** What came so far, over all streams. */
interface Read {
  readonly entries: ReplayEntry[];
  header: ReplayHeader | undefined;
  announced: bigint | undefined;
}

function take(read: Read, { part }: ReplayResponse): void {
  switch (part.case) {
    case "header":
      if (read.header !== undefined && read.header.replayId !== part.value.replayId) {
        throw incomplete("its source is another one than before its stream broke");
      }
      read.header = part.value;
      return;
    case "entries":
      for (const entry of part.value.entries) read.entries.push(entry); // too many to be arguments
      return;
    case "trailer":
      read.announced = part.value.entries;
      return;
    case undefined:
      return;
  }
}

function whole({ header, entries, announced }: Read): Replay {
  if (header?.source === undefined) throw incomplete("it has no header with a source");
  if (announced !== BigInt(entries.length)) {
    throw incomplete(`${entries.length} entries came, and ${announced ?? "no number"} was announced`);
  }
  const zones = Object.groupBy(entries, ({ zone }) => zoneNames[zone] ?? "void");
  return {
    header,
    source: header.source,
    prefix: told(zones.prefix),
    reDrive: told(zones.reDrive),
    evidence: told(zones.evidence),
    void: told(zones.void),
    inDoubt: entries.flatMap(({ inDoubtCallIds }) => inDoubtCallIds),
  };
}

/** What has no name here, also a zone of a newer sidecar, is left. */
const zoneNames: { readonly [Z in ReplayZone]?: Exclude<keyof Entries, "void" | "inDoubt"> } = {
  [ReplayZone.PREFIX]: "prefix",
  [ReplayZone.RE_DRIVE]: "reDrive",
  [ReplayZone.EVIDENCE]: "evidence",
};

function told(entries: readonly ReplayEntry[] = []): readonly TranscriptEntry[] {
  return entries.flatMap(({ entry }) => entry ?? []);
}

function incomplete(detail: string): IncompleteReplay {
  return new IncompleteReplay(endingHere(Code.DataLoss, `the replay is not whole: ${detail}`));
}
