import type { Judged, Verdict } from "../domain/conversation/judge.ts";
import type { ReplayLayout, TranscriptLayout } from "../domain/conversation/layout.ts";
import {
  type DocumentAsk,
  examineStored,
  judgeDocument,
  prepareDocument,
  replayStored,
  transcribeStored,
} from "./document-work.ts";
import { remembering } from "./layout-cache.ts";
import type { Documents, Examined, LaidOut, Prepared } from "./ports.ts";
import { openLine, workerUrl } from "./worker-line.ts";

/** Above this a document is read on the other thread; below, asking there would take longer than reading it here. */
const readHere = 256 * 1024;

/** Opens the reading of documents. The thread starts with the first large one. */
export function openDocuments(): Documents {
  const line = openLine<DocumentAsk, unknown>(workerUrl("document-worker", import.meta.url), undefined);
  const replays = remembering(replayStored);
  const transcripts = remembering(transcribeStored);
  return {
    async judge(judged) {
      if (size(judged) <= readHere) return judgeDocument(judged);
      return (await line.ask({ kind: "judge", judged })) as Verdict; // What the worker answers to this ask.
    },
    async examine(stored) {
      if (stored.bytes.length <= readHere) return examineStored(stored);
      return (await line.ask({ kind: "examine", stored }, [stored.bytes.buffer])) as Examined; // As above.
    },
    async replay(stored) {
      if (stored.bytes.length <= readHere) return replays(stored);
      return (await line.ask({ kind: "replay", stored }, [stored.bytes.buffer])) as LaidOut<ReplayLayout>; // As above.
    },
    async transcript(stored) {
      if (stored.bytes.length <= readHere) return transcripts(stored);
      const laidOut = await line.ask({ kind: "transcript", stored }, [stored.bytes.buffer]);
      return laidOut as LaidOut<TranscriptLayout>; // As above.
    },
    async prepare(judged) {
      if (size(judged) <= readHere) return prepareDocument(judged);
      return (await line.ask({ kind: "prepare", judged })) as Prepared; // As above.
    },
    close: () => line.end(),
  };
}

/** Units or bytes: near enough to choose a thread by. */
function size({ content }: Judged): number {
  return content.value?.length ?? 0;
}
