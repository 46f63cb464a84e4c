import { isGiven, type Json } from "../json.ts";

/** What an item of a Responses list is. `toolCall` and `output` are the host's; `hosted` the provider runs itself. */
export type ItemKind =
  | "message"
  | "reasoning"
  | "toolCall"
  | "output"
  | "approvalRequest"
  | "approvalResponse"
  | "hosted"
  | "compaction"
  | "reference"
  | "unknown";

/** Tells an item by its type. Only a message may come without one. */
export function itemKind(item: Json): ItemKind {
  const { type } = item;
  if (!isGiven(type)) return "message";
  if (typeof type !== "string") return "unknown";
  if (type === "tool_search_call" || type === "tool_search_output") return searchKind(item);
  if (OUTPUT_TYPES.has(type)) return "toolCall";
  return OTHER_TYPES.get(type) ?? "unknown";
}

/** Whether the model says or does this. An item of an unknown kind might be a call, which is the model's. */
export function isModelItem(item: Json): boolean {
  const kind = itemKind(item);
  if (kind === "message") return item["role"] === "assistant";
  return MODEL_KINDS.has(kind);
}

/** The type of the items that answer a call item, or that an output item itself has: what both sides pair by besides the id. */
export function outputType(item: Json): string {
  const type = String(item["type"]);
  return OUTPUT_TYPES.get(type) ?? type;
}

/** Whether an item's own status says that it is finished; without one it is. */
export function isFinished({ status }: Json): boolean {
  return typeof status !== "string" || status === "completed" || status === "failed";
}

// A search of tools that the provider runs has no `call_id`.
function searchKind({ type, call_id: id }: Json): ItemKind {
  if (!isGiven(id)) return "hosted";
  return type === "tool_search_call" ? "toolCall" : "output";
}

const OUTPUT_TYPES: ReadonlyMap<string, string> = new Map([
  ["apply_patch_call", "apply_patch_call_output"],
  ["computer_call", "computer_call_output"],
  ["custom_tool_call", "custom_tool_call_output"],
  ["function_call", "function_call_output"],
  ["local_shell_call", "local_shell_call_output"],
  ["shell_call", "shell_call_output"],
  ["tool_search_call", "tool_search_output"],
]);

const OTHER_TYPES: ReadonlyMap<string, ItemKind> = new Map<string, ItemKind>([
  ["apply_patch_call_output", "output"],
  ["code_interpreter_call", "hosted"],
  ["compaction", "compaction"],
  ["computer_call_output", "output"],
  ["custom_tool_call_output", "output"],
  ["file_search_call", "hosted"],
  ["function_call_output", "output"],
  ["image_generation_call", "hosted"],
  ["item_reference", "reference"],
  ["local_shell_call_output", "output"],
  ["mcp_approval_request", "approvalRequest"],
  ["mcp_approval_response", "approvalResponse"],
  ["mcp_call", "hosted"],
  ["mcp_list_tools", "hosted"],
  ["message", "message"],
  ["reasoning", "reasoning"],
  ["shell_call_output", "output"],
  ["web_search_call", "hosted"],
]);

const MODEL_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>([
  "reasoning",
  "toolCall",
  "approvalRequest",
  "hosted",
  "unknown",
]);
