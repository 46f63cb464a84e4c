import type { Adapter } from "./adapter.ts";
import type { Draft } from "./draft.ts";
import { readHostEntry } from "./host-entry.ts";
import { isCutArguments, isGiven, isObject, isText, type Json } from "./json.ts";
import { type Around, readList } from "./list.ts";
import { hasField } from "./marks.ts";
import { readModelEntry } from "./model-entry.ts";
import { ANSWER, INPUT, NOTHING, type Piece, SYSTEM, UNKNOWN, UNPAIRABLE } from "./pieces.ts";

/** The array that pydantic-ai's ModelMessagesTypeAdapter writes. A block is a calling response with the next message, if that is a request. */
export const pydanticAi: Adapter = {
  name: "pydantic-ai",
  version: 1,
  read: (value) => readList(value, { fits, read }),
};

function fits(message: Json): boolean {
  const { kind, parts } = message;
  if ((kind !== "request" && kind !== "response") || hasField(message, ["role", "tool_calls"])) return false;
  return Array.isArray(parts) && parts.every((part) => isObject(part) && typeof part["part_kind"] === "string");
}

function read(message: Json, { previous, next }: Around): Draft | undefined {
  if (message["kind"] === "request") return readHostEntry(partsOf(message).map(readRequestPart), previous);
  const { state, finish_reason: reason } = message;
  return readModelEntry(partsOf(message).map(readResponsePart), {
    cut: state === "incomplete" || state === "interrupted" || reason === "length" || reason === "error",
    refused: reason === "content_filter",
    suspended: state === "suspended",
    continued: next?.["kind"] === "response",
  });
}

function partsOf({ parts }: Json): readonly Json[] {
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

function readRequestPart(part: Json): Piece {
  switch (part["part_kind"]) {
    case "system-prompt":
    case "instruction-baseline":
    case "instruction-delta":
      return SYSTEM;
    case "user-prompt":
    case "retry-feedback":
    case "speech":
      return INPUT;
    case "tool-return":
      return resultOf(part);
    case "retry-prompt":
      return isText(part["tool_name"]) ? resultOf(part) : INPUT;
    default:
      return UNKNOWN;
  }
}

function readResponsePart(part: Json): Piece {
  switch (part["part_kind"]) {
    case "text":
      return isText(part["content"]) ? ANSWER : NOTHING;
    case "file":
      return isGiven(part["content"]) ? ANSWER : NOTHING;
    case "speech":
      return isText(part["transcript"]) || isGiven(part["audio"]) ? ANSWER : NOTHING;
    case "thinking":
      return { kind: "thinking", verbatim: true };
    default:
      return readCallPart(part);
  }
}

function readCallPart({ part_kind: kind, tool_call_id: id, args }: Json): Piece {
  const cut = isCutArguments(args);
  switch (kind) {
    case "tool-call":
      return typeof id === "string" ? { kind: "call", call: { id, pairs: "call", approval: false, cut } } : UNPAIRABLE;
    case "builtin-tool-call":
      return typeof id === "string" ? { kind: "providerCall", key: id, cut } : UNPAIRABLE;
    case "builtin-tool-return":
      return typeof id === "string" ? { kind: "providerResult", key: id } : UNPAIRABLE;
    default:
      return UNKNOWN;
  }
}

function resultOf({ tool_call_id: id }: Json): Piece {
  return typeof id === "string" ? { kind: "result", result: { id, pairs: "call" } } : UNPAIRABLE;
}
