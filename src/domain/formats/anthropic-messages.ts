import type { Adapter } from "./adapter.ts";
import type { Draft } from "./draft.ts";
import { readHostEntry } from "./host-entry.ts";
import { isObject, isText, type Json } from "./json.ts";
import { type Around, readList } from "./list.ts";
import { hasBlock, hasField, isAiSdkBlock, isChatBlock, isResponsesBlock } from "./marks.ts";
import { readModelEntry } from "./model-entry.ts";
import { ANSWER, INPUT, NOTHING, type Piece, SYSTEM, UNKNOWN, UNPAIRABLE } from "./pieces.ts";

/** An array of Anthropic Messages turns. A block is a calling entry with the next one, if that is not the assistant's. */
export const anthropicMessages: Adapter = {
  name: "anthropic-messages",
  version: 1,
  read: (value) => readList(value, { fits, read }),
};

const FOREIGN_FIELDS = ["tool_calls", "tool_call_id", "function_call", "parts"];

function fits(message: Json): boolean {
  const { role, content } = message;
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  if (hasField(message, FOREIGN_FIELDS)) return false;
  if (typeof content === "string") return true;
  if (!Array.isArray(content) || !content.every((block) => isObject(block) && typeof block["type"] === "string"))
    return false;
  return !hasBlock(content, (type) => isChatBlock(type) || isResponsesBlock(type) || isAiSdkBlock(type));
}

function read(message: Json, { previous, next }: Around): Draft | undefined {
  if (message["role"] !== "assistant") return readHostEntry(hostPieces(message), previous);
  const stop = message["stop_reason"];
  return readModelEntry(blocksOf(message).map(readBlock), {
    cut: stop === null || stop === "max_tokens" || stop === "model_context_window_exceeded",
    refused: stop === "refusal",
    suspended: stop === "pause_turn",
    continued: next?.["role"] === "assistant",
  });
}

// A text of the host is its own words, or the system's where the role says so.
function hostPieces(message: Json): readonly Piece[] {
  const said = message["role"] === "system" ? SYSTEM : INPUT;
  const pieces = blocksOf(message).map(readBlock);
  if (pieces.length === 0) return [said];
  return pieces.map((piece) => (piece.kind === "answer" || piece.kind === "nothing" ? said : piece));
}

// Text as content is the short form of one text block.
function blocksOf({ content }: Json): readonly Json[] {
  return Array.isArray(content) ? content.filter(isObject) : [{ type: "text", text: content }];
}

function readBlock(block: Json): Piece {
  switch (block["type"]) {
    case "text":
      return isText(block["text"]) ? ANSWER : NOTHING;
    case "image":
    case "document":
    case "search_result":
    case "container_upload":
      return ANSWER;
    case "thinking":
      return { kind: "thinking", verbatim: isText(block["signature"]) };
    case "redacted_thinking":
      return { kind: "thinking", verbatim: isText(block["data"]) };
    default:
      return readToolBlock(block);
  }
}

function readToolBlock(block: Json): Piece {
  const { type, id, tool_use_id: answers } = block;
  const cut = !isObject(block["input"]);
  if (type === "tool_use") {
    return typeof id === "string" ? { kind: "call", call: { id, pairs: "call", approval: false, cut } } : UNPAIRABLE;
  }
  if (type === "tool_result") {
    return typeof answers === "string" ? { kind: "result", result: { id: answers, pairs: "call" } } : UNPAIRABLE;
  }
  if (type === "server_tool_use" || type === "mcp_tool_use") {
    return typeof id === "string" ? { kind: "providerCall", key: id, cut } : UNPAIRABLE;
  }
  if (typeof type !== "string" || !type.endsWith("_tool_result")) return UNKNOWN;
  return typeof answers === "string" ? { kind: "providerResult", key: answers } : UNPAIRABLE;
}
