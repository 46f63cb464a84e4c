import { EntryKind } from "../../../gen/fermata/conversation/v1/transcript_pb.ts";
import { UnsafeBoundary_Cause as Cause } from "../../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Draft, draft } from "../draft.ts";
import type { Call } from "../entry.ts";
import { isCutArguments, type Json } from "../json.ts";
import { isFinished, outputType } from "./item.ts";

/** Reads a call of the host's tools. `undefined`: it has no id. */
export function readToolCall(item: Json): Draft | undefined {
  const { call_id: id } = item;
  if (typeof id !== "string") return undefined;
  return callDraft(EntryKind.CALL, { id, pairs: outputType(item), approval: false, cut: isCut(item) });
}

/** Reads the result of such a call. The API's own shape of a local shell's output has its call's id in `id`. */
export function readOutput(item: Json): Draft | undefined {
  const id = item["type"] === "local_shell_call_output" ? (item["call_id"] ?? item["id"]) : item["call_id"];
  return answerDraft(EntryKind.RESULT, id, outputType(item));
}

/** Reads a request for a person's approval: open until it is answered. */
export function readApprovalRequest(item: Json): Draft | undefined {
  const { id } = item;
  if (typeof id !== "string") return undefined;
  return callDraft(EntryKind.MARK, { id, pairs: "approval", approval: true, cut: isCut(item) });
}

/** Reads what the person answered. */
export function readApprovalResponse(item: Json): Draft | undefined {
  return answerDraft(EntryKind.MARK, item["approval_request_id"], "approval");
}

/** Reads a call that the provider runs: it carries its result, and leaves nothing open for the host. */
export function readHosted(item: Json): Draft {
  const problem = isCut(item) ? Cause.PARTIAL_STREAM : undefined;
  return draft({ kind: EntryKind.CALL, author: "model", problem });
}

function callDraft(kind: EntryKind, call: Call): Draft {
  const problem = call.cut ? Cause.PARTIAL_STREAM : undefined;
  return draft({ kind, author: "model", calls: [call], problem });
}

function answerDraft(kind: EntryKind, id: unknown, pairs: string): Draft | undefined {
  if (typeof id !== "string") return undefined;
  return draft({ kind, results: [{ id, pairs }], joins: true });
}

// Only `arguments` are JSON text; the `input` of a custom tool is free text.
function isCut(item: Json): boolean {
  return !isFinished(item) || isCutArguments(item["arguments"]);
}
