import { kindOf, type Layout } from "../../domain/conversation/layout.ts";
import type { TranscriptEntry } from "../../gen/fermata/conversation/v1/transcript_pb.ts";

/** One entry as callers see it, without a time: its content is the slice of the document that its host wrote. */
export function transcriptEntry(layout: Layout, position: number, content: Uint8Array): TranscriptEntry {
  return {
    $typeName: "fermata.conversation.v1.TranscriptEntry",
    position: BigInt(position),
    kind: kindOf(layout, position),
    content,
    callIds: [...(layout.callIds.get(position) ?? [])],
  };
}
