import { EntryKind } from "../../../gen/fermata/conversation/v1/transcript_pb.ts";
import { contentPieces } from "../content.ts";
import { type Draft, draft } from "../draft.ts";
import { isGiven, isObject, isText, type Json } from "../json.ts";
import { hasBlock, isAiSdkBlock, isAnthropicBlock } from "../marks.ts";
import { readModelEntry, SETTLED } from "../model-entry.ts";
import { isFinished } from "./item.ts";

/** Whether a message has a role and content of this format, and no block of another one. */
export function fitsMessage({ role, content }: Json): boolean {
  if (role !== "user" && role !== "assistant" && role !== "system" && role !== "developer") return false;
  if (isGiven(content) && typeof content !== "string" && !Array.isArray(content)) return false;
  return !hasBlock(content, isForeign);
}

/** Reads a message. What the model only remarks on its way (`phase: "commentary"`) ends no turn. */
export function readMessage(message: Json): Draft | undefined {
  switch (message["role"]) {
    case "assistant":
      return readAssistant(message);
    case "user":
      return draft({});
    default:
      return draft({ kind: EntryKind.SYSTEM, author: "system" });
  }
}

function readAssistant(message: Json): Draft | undefined {
  const pieces = contentPieces(message["content"], isSaid);
  const read = readModelEntry(pieces, { ...SETTLED, cut: !isFinished(message) });
  return read && { ...read, endsTurn: read.endsTurn && message["phase"] !== "commentary" };
}

function isSaid(part: unknown): boolean {
  if (!isObject(part)) return false;
  return (
    isText(part["text"]) || isText(part["refusal"]) || part["type"] === "input_image" || part["type"] === "input_file"
  );
}

function isForeign(type: string): boolean {
  return type === "text" || type === "image_url" || isAnthropicBlock(type) || isAiSdkBlock(type);
}
