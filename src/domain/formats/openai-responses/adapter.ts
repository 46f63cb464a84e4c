import { EntryKind } from "../../../gen/fermata/conversation/v1/transcript_pb.ts";
import { UnsafeBoundary_Cause as Cause } from "../../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { Adapter } from "../adapter.ts";
import { type Draft, draft } from "../draft.ts";
import { isGiven, type Json } from "../json.ts";
import { type Around, readList } from "../list.ts";
import { hasField } from "../marks.ts";
import { isFinished, isModelItem, itemKind } from "./item.ts";
import { fitsMessage, readMessage } from "./message.ts";
import { readApprovalRequest, readApprovalResponse, readHosted, readOutput, readToolCall } from "./tools.ts";

/** An array of Responses items, input and output in one list. A block is the rest of a model step and its outputs. */
export const openaiResponses: Adapter = {
  name: "openai-responses",
  version: 1,
  read: (value) => readList(value, { fits, read }),
};

function fits(item: Json): boolean {
  const { type } = item;
  if (isGiven(type) && typeof type !== "string") return false;
  if (hasField(item, ["tool_calls", "tool_call_id", "function_call", "parts"])) return false;
  return itemKind(item) !== "message" || fitsMessage(item);
}

// A step goes on until an output stands between: the next model item then begins another block.
function read(item: Json, { previous, next }: Around): Draft | undefined {
  const read = readItem(item, next);
  return read && { ...read, joins: read.joins || (read.author === "model" && previous?.author === "model") };
}

function readItem(item: Json, next: Json | undefined): Draft | undefined {
  switch (itemKind(item)) {
    case "message":
      return readMessage(item);
    case "reasoning":
      return draft({ kind: EntryKind.REASONING, author: "model", problem: reasoningProblem(item, next) });
    case "toolCall":
      return readToolCall(item);
    case "output":
      return readOutput(item);
    case "approvalRequest":
      return readApprovalRequest(item);
    case "approvalResponse":
      return readApprovalResponse(item);
    case "hosted":
      return readHosted(item);
    case "compaction":
      return draft({ kind: EntryKind.MARK, author: "neither" });
    case "reference":
      return draft({ kind: EntryKind.MARK, author: "neither", problem: Cause.NO_TESTED_BOUNDARY });
    case "unknown":
      return draft({ kind: EntryKind.MARK, author: "model", problem: Cause.NO_TESTED_BOUNDARY });
  }
}

function reasoningProblem(item: Json, next: Json | undefined): Cause | undefined {
  if (!isFinished(item)) return Cause.THINKING_UNFINISHED;
  return next !== undefined && isModelItem(next) ? undefined : Cause.ORPHAN_REASONING;
}
