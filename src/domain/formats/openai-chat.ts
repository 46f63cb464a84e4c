import { EntryKind } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { Adapter } from "./adapter.ts";
import { contentPieces } from "./content.ts";
import { type Draft, draft } from "./draft.ts";
import { isCutArguments, isGiven, isObject, isText, type Json } from "./json.ts";
import { readList } from "./list.ts";
import { hasBlock, hasField, isAiSdkBlock, isAnthropicBlock, isResponsesBlock } from "./marks.ts";
import { readModelEntry, SETTLED } from "./model-entry.ts";
import { ANSWER, type Piece, UNKNOWN, UNPAIRABLE } from "./pieces.ts";

/** An array of Chat Completions messages. A block is a calling message with the run of `tool` messages directly after it. */
export const openaiChat: Adapter = {
  name: "openai-chat",
  version: 1,
  read: (value) => readList(value, { fits, read }),
};

const ROLES = ["system", "developer", "user", "assistant", "tool"];

function fits(message: Json): boolean {
  const { role, content } = message;
  if (typeof role !== "string" || !ROLES.includes(role) || hasField(message, ["parts"])) return false;
  if (isGiven(content) && typeof content !== "string" && !Array.isArray(content)) return false;
  return !hasBlock(content, (type) => isAnthropicBlock(type) || isResponsesBlock(type) || isAiSdkBlock(type));
}

function read(message: Json): Draft | undefined {
  switch (message["role"]) {
    case "assistant":
      return readAssistant(message);
    case "tool":
      return readResult(message);
    case "user":
      return ASKED;
    default:
      return INSTRUCTED;
  }
}

const ASKED = draft({});
const INSTRUCTED = draft({ kind: EntryKind.SYSTEM, author: "system" });

function readResult({ tool_call_id: id }: Json): Draft | undefined {
  if (typeof id !== "string") return undefined;
  return draft({ kind: EntryKind.RESULT, results: [{ id, pairs: "call" }], joins: true });
}

function readAssistant(message: Json): Draft | undefined {
  const pieces = contentPieces(message["content"], isSaid).concat(sayingPieces(message), callPieces(message));
  const stop = message["finish_reason"];
  return readModelEntry(pieces, { ...SETTLED, cut: stop === "length", refused: stop === "content_filter" });
}

function isSaid(part: unknown): boolean {
  if (!isObject(part)) return false;
  switch (part["type"]) {
    case "text":
      return isText(part["text"]);
    case "refusal":
      return isText(part["refusal"]);
    case "image_url":
    case "input_audio":
    case "file":
      return true;
    default:
      return false;
  }
}

function sayingPieces({ refusal, audio }: Json): readonly Piece[] {
  return isText(refusal) || isObject(audio) ? [ANSWER] : [];
}

// The deprecated single `function_call` has no id, and no test covers it.
function callPieces({ tool_calls: calls, function_call: legacy }: Json): readonly Piece[] {
  const older = isGiven(legacy) ? [UNKNOWN] : [];
  if (!isGiven(calls)) return older;
  return Array.isArray(calls) ? [...older, ...calls.map(callPiece)] : [UNPAIRABLE];
}

function callPiece(call: unknown): Piece {
  if (!isObject(call)) return UNPAIRABLE;
  const { id, type, function: called } = call;
  if (typeof id !== "string") return UNPAIRABLE;
  const cut = type !== "custom" && isObject(called) && isCutArguments(called["arguments"]);
  return { kind: "call", call: { id, pairs: "call", approval: false, cut } };
}
