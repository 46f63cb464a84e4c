import { create } from "@bufbuild/protobuf";
import { type Document, DocumentSchema } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { TranscriptEntry } from "../gen/fermata/conversation/v1/transcript_pb.ts";

/** A document of a format (`openai-chat/1`): text and bytes as they are, anything else as JSON. */
export function documentOf(format: string, content: string | Uint8Array | object): Document {
  if (content instanceof Uint8Array)
    return create(DocumentSchema, { format, content: { case: "binary", value: content } });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return create(DocumentSchema, { format, content: { case: "text", value: text } });
}

/** What a document holds: its bytes, or its text, read as JSON where it is JSON. */
export function contentOf({ content }: Document): unknown {
  if (content.case !== "text") return content.value;
  try {
    return JSON.parse(content.value);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return content.value;
  }
}

/** The content of an entry, read as JSON. */
export function jsonOf({ content }: TranscriptEntry): unknown {
  return JSON.parse(new TextDecoder().decode(content));
}
