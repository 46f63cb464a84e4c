import { entryKeys } from "../domain/conversation/entry-key.ts";
import { type Judged, type Judgement, judge, startOf, type Verdict } from "../domain/conversation/judge.ts";
import { layOut, type ReplayLayout, type TranscriptLayout } from "../domain/conversation/layout.ts";
import { payloadDigest } from "../domain/conversation/payload-digest.ts";
import { layOutReplay } from "../domain/conversation/replay-layout.ts";
import type { Document } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { cutsOf } from "./chunking.ts";
import type { CutPayload, Examined, LaidOut, Prepared, Stored } from "./ports.ts";

/** What is done with a document, on whichever thread. */
export type DocumentAsk =
  | { readonly kind: "judge"; readonly judged: Judged }
  | { readonly kind: "examine"; readonly stored: Stored }
  | { readonly kind: "replay"; readonly stored: Stored }
  | { readonly kind: "transcript"; readonly stored: Stored }
  | { readonly kind: "prepare"; readonly judged: Judged };

/** The verdict on a document that is not stored. */
export function judgeDocument(judged: Judged): Verdict {
  return judge(judged).verdict;
}

/** The verdict on stored bytes, with their digest. A byte order mark and everything else stay as they are. */
export function examineStored(stored: Stored): Examined {
  return examined(stored, judgeStored(stored), payloadDigest(stored.bytes));
}

/** The same for bytes of this digest, with the entries laid out for a replay from the last tested boundary. */
export function replayStored(stored: Stored, digest: Uint8Array): LaidOut<ReplayLayout> {
  const judgement = judgeStored(stored);
  const { reading, verdict } = judgement;
  const start = startOf(verdict);
  const opened = judgement.opened && Uint8Array.from(judgement.opened);
  const layout = reading && start && layOutReplay(reading.entries, opened ?? stored.bytes, start.entries);
  return { ...examined(stored, judgement, digest), layout, opened };
}

/** The same for bytes of this digest, with the entries laid out for a transcript. */
export function transcribeStored(stored: Stored, digest: Uint8Array): LaidOut<TranscriptLayout> {
  const judgement = judgeStored(stored);
  const { reading } = judgement;
  const opened = judgement.opened && Uint8Array.from(judgement.opened);
  const layout = reading && {
    ...layOut(reading.entries, opened ?? stored.bytes),
    keys: entryKeys(reading.entries),
  };
  return { ...examined(stored, judgement, digest), layout, opened };
}

/** The verdict on a document, with its payload digested and cut into chunks. */
export function prepareDocument(judged: Judged): Prepared {
  const { verdict, reading } = judge(judged);
  const bytes = bytesOf(judged.content);
  const kind = judged.content.case === "binary" ? "binary" : "text";
  const entries = reading === undefined ? new Uint8Array() : entryKeys(reading.entries);
  const facts = { kind, length: bytes.length, digest: payloadDigest(bytes) } as const;
  return { verdict, facts, payload: { bytes, entries, ...cut(bytes) } };
}

function judgeStored({ kind, bytes, ...terms }: Stored): Judgement {
  const content: Document["content"] =
    kind === "binary" ? { case: "binary", value: bytes } : { case: "text", value: view(bytes).toString("utf8") };
  return judge({ ...terms, content });
}

function examined({ bytes }: Stored, { verdict }: Judgement, digest: Uint8Array): Examined {
  return { digest, length: bytes.length, verdict, bytes };
}

/** In a buffer of its own: a slice of Node's pool would take its neighbours along to another thread. */
function bytesOf(content: Document["content"]): Uint8Array<ArrayBuffer> {
  if (content.case === "text") return new TextEncoder().encode(content.value);
  return Uint8Array.from(content.value ?? []);
}

function cut(bytes: Uint8Array): Pick<CutPayload, "ends" | "digests"> {
  const ends = Uint32Array.from(cutsOf(bytes));
  const digests = new Uint8Array(ends.length * 32);
  for (const [position, end] of ends.entries()) {
    digests.set(payloadDigest(bytes.subarray(ends[position - 1] ?? 0, end)), position * 32);
  }
  return { ends, digests };
}

function view(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
