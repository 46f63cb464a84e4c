import type { Adapter } from "./adapter.ts";
import type { Draft } from "./draft.ts";
import { readHostEntry } from "./host-entry.ts";
import { isCutArguments, isGiven, isObject, isText, type Json } from "./json.ts";
import { type Around, readList } from "./list.ts";
import { hasField } from "./marks.ts";
import { readModelEntry, SETTLED } from "./model-entry.ts";
import { ANSWER, INPUT, NOTHING, type Piece, UNKNOWN, UNPAIRABLE } from "./pieces.ts";

/** An array of Gemini contents. A block is a calling entry with the next one, if that is not the model's. */
export const geminiContents: Adapter = {
  name: "gemini-contents",
  version: 1,
  read: (value) => readList(value, { fits, read }),
};

function fits(message: Json): boolean {
  const { role, parts } = message;
  if (isGiven(role) && role !== "user" && role !== "model" && role !== "function") return false;
  if (hasField(message, ["content", "tool_calls", "kind"])) return false;
  // The model's entry comes without parts if it was stopped before the first one.
  if (!isGiven(parts)) return role === "model";
  return Array.isArray(parts) && parts.every((part) => isObject(part) && !hasField(part, ["type", "part_kind"]));
}

function read(message: Json, { previous, next }: Around): Draft | undefined {
  const pieces = partsOf(message).map(readPart);
  if (message["role"] !== "model") return readHostEntry(pieces.map(asInput), previous);
  return readModelEntry(pieces, {
    ...SETTLED,
    cut: message["finishReason"] === "MAX_TOKENS",
    refused: FILTERS.has(message["finishReason"]),
    continued: next?.["role"] === "model",
  });
}

const FILTERS: ReadonlySet<unknown> = new Set(["BLOCKLIST", "PROHIBITED_CONTENT", "SAFETY", "SPII"]);

function partsOf({ parts }: Json): readonly Json[] {
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

function asInput(piece: Piece): Piece {
  return piece.kind === "answer" || piece.kind === "thinking" || piece.kind === "nothing" ? INPUT : piece;
}

// A part holds one kind of data; its other fields describe it.
function readPart(part: Json): Piece {
  if (isGiven(part["functionCall"])) return readCall(part["functionCall"]);
  if (isGiven(part["functionResponse"])) return readResponse(part["functionResponse"]);
  if (isGiven(part["executableCode"])) return { kind: "providerCall", key: "code", cut: false };
  if (isGiven(part["codeExecutionResult"])) return { kind: "providerResult", key: "code" };
  if (isGiven(part["toolCall"])) return { kind: "providerCall", key: toolKey(part["toolCall"]), cut: false };
  if (isGiven(part["toolResponse"])) return { kind: "providerResult", key: toolKey(part["toolResponse"]) };
  if (part["thought"] === true) return { kind: "thinking", verbatim: true };
  if (isGiven(part["inlineData"]) || isGiven(part["fileData"]) || isText(part["text"])) return ANSWER;
  return typeof part["text"] === "string" || Object.keys(part).every(describes(part)) ? NOTHING : UNKNOWN;
}

function describes(part: Json): (field: string) => boolean {
  return (field) => !isGiven(part[field]) || DESCRIPTIONS.has(field);
}

const DESCRIPTIONS: ReadonlySet<string> = new Set([
  "audioMetadata",
  "documentMetadata",
  "mediaProcessing",
  "mediaResolution",
  "partMetadata",
  "speechMetadata",
  "spreadsheetMetadata",
  "thought",
  "thoughtSignature",
  "videoMetadata",
]);

// A call with an id is answered by that id only, one without by its name: the two never meet.
function readCall(called: unknown): Piece {
  const name = nameOf(called);
  if (name === undefined || !isObject(called)) return UNPAIRABLE;
  const cut = called["willContinue"] === true || isCutArguments(called["args"]);
  return { kind: "call", call: { ...name, approval: false, cut } };
}

function readResponse(response: unknown): Piece {
  const name = nameOf(response);
  return name === undefined ? UNPAIRABLE : { kind: "result", result: name };
}

function nameOf(side: unknown): { readonly id: string; readonly pairs: string } | undefined {
  if (!isObject(side)) return undefined;
  const { id, name } = side;
  if (isGiven(id)) return typeof id === "string" ? { id, pairs: "id" } : undefined;
  return typeof name === "string" ? { id: name, pairs: "name" } : undefined;
}

function toolKey(tool: unknown): string {
  return isObject(tool) && typeof tool["id"] === "string" ? `tool ${tool["id"]}` : "tool";
}
