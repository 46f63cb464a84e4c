import type { Adapter } from "./adapter.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { geminiContents } from "./gemini-contents.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses/adapter.ts";
import { pydanticAi } from "./pydantic-ai.ts";

/** The shipped adapters. The formats of the support window are these and what the configuration lists. */
export const KNOWN: readonly Adapter[] = [openaiChat, openaiResponses, anthropicMessages, geminiContents, pydanticAi];
