import { isGiven, isObject, type Json } from "./json.ts";

/** Whether a message has one of these fields, which another format has and this one has not. */
export function hasField(message: Json, foreign: readonly string[]): boolean {
  for (const name of foreign) if (isGiven(message[name])) return true;
  return false;
}

/** Whether a message's content is a list that holds a block of one of these foreign types. */
export function hasBlock(content: unknown, foreign: (type: string) => boolean): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((block) => isObject(block) && typeof block["type"] === "string" && foreign(block["type"]));
}

/** Types of content blocks that only Chat Completions has. */
export function isChatBlock(type: string): boolean {
  return type === "image_url" || type === "input_audio";
}

/** Types of content blocks that only Responses has. */
export function isResponsesBlock(type: string): boolean {
  return type === "input_text" || type === "input_image" || type === "input_file" || type === "output_text";
}

/** Types of content blocks that only Anthropic Messages has. */
export function isAnthropicBlock(type: string): boolean {
  return type.endsWith("tool_use") || type.endsWith("tool_result") || type.endsWith("thinking");
}

/** Types of content blocks that only the AI SDK's own messages have. */
export function isAiSdkBlock(type: string): boolean {
  return type === "tool-call" || type === "tool-result";
}
