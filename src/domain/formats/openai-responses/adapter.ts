import { UnsafeBoundary_Cause as Cause } from "../../../gen/fermata/refusal/v1/refusal_pb.ts";
import { EntryKind } from "../../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { Adapter } from "../adapter.ts";
import { type Draft, draft } from "../draft.ts";
import { isGiven, type Json } from "../json.ts";
import { type Around, readList } from "../list.ts";
import { hasBlock, hasField, isAiSdkBlock, isAnthropicBlock, isChatBlock } from "../marks.ts";
import { isModelItem, isOutputItem } from "./item.ts";
import { readCallItem, readHostedItem, readOutputItem } from "./tools.ts";
import { isAssistant, readMessage } from "./message.ts";

/** An array of Responses items, input and output in one list. A block is the rest of a model step with its outputs. */
export const openaiResponses: Adapter = {
  name: "openai-responses",
  version: 1,
  read: (value) => readList(value, { fits, read }),
};
