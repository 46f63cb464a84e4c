import { describe, expect, it } from "vitest";
import { readDocument } from "../../../src/domain/formats/read.ts";
import { scan } from "../../../src/domain/formats/scan.ts";
import { judge } from "./verdict.ts";

const ALL = ["turn-complete", "calls-answered", "awaiting-input"];

/** A conversation of one format: each entry with where a document stands that ends in it, when every proof is published. */
interface Walk {
  readonly adapter: string;
  readonly steps: readonly (readonly [stands: string, entry: unknown])[];
}

const chatCall = (id: string) => ({ id, type: "function", function: { name: "tide", arguments: "{}" } });
const fnCall = (id: string) => ({
  type: "function_call",
  call_id: id,
  name: "tide",
  arguments: "{}",
  status: "completed",
});
const toolUse = (id: string) => ({ type: "tool_use", id, name: "tide", input: {} });
const toolCall = (id: string) => ({ part_kind: "tool-call", tool_name: "tide", args: "{}", tool_call_id: id });
const toolReturn = (id: string) => ({ part_kind: "tool-return", tool_name: "tide", content: "2 m", tool_call_id: id });
const request = (...parts: unknown[]) => ({ kind: "request", parts });
const response = (...parts: unknown[]) => ({ kind: "response", parts });
const prompt = { part_kind: "user-prompt", content: "Tides?" };

const WALKS: readonly Walk[] = [
  {
    adapter: "openai-chat",
    steps: [
      ["EMPTY", { role: "system", content: "Be brief." }],
      ["TURN_OPEN", { role: "user", content: "Tides?" }],
      ["DANGLING_TOOL_CALL", { role: "assistant", content: "Looking.", tool_calls: [chatCall("a"), chatCall("b")] }],
      ["PARALLEL_HALF_ANSWERED", { role: "tool", tool_call_id: "b", content: "2 m" }],
      ["CALLS_ANSWERED", { role: "tool", tool_call_id: "a", content: "" }],
      ["DANGLING_TOOL_CALL", { role: "assistant", content: null, tool_calls: [chatCall("a")] }],
      ["CALLS_ANSWERED", { role: "tool", tool_call_id: "a", content: "error: no station" }],
      ["TURN_COMPLETE", { role: "assistant", content: "Two metres." }],
      ["NO_TESTED_BOUNDARY", { role: "developer", content: "Use feet." }],
      ["TURN_OPEN", { role: "user", content: "And now?" }],
      ["TURN_COMPLETE", { role: "assistant", content: "Six feet." }],
    ],
  },
  {
    adapter: "openai-responses",
    steps: [
      ["EMPTY", { role: "developer", content: "Be brief." }],
      ["TURN_OPEN", { role: "user", content: "Tides?" }],
      ["ORPHAN_REASONING", { type: "reasoning", id: "rs_1", summary: [] }],
      ["DANGLING_TOOL_CALL", fnCall("a")],
      ["DANGLING_TOOL_CALL", fnCall("b")],
      ["PARALLEL_HALF_ANSWERED", { type: "function_call_output", call_id: "b", output: "2 m" }],
      ["CALLS_ANSWERED", { type: "function_call_output", call_id: "a", output: "1 m" }],
      ["TURN_OPEN", { role: "assistant", content: "Half done.", phase: "commentary" }],
      ["AWAITING_INPUT", { type: "mcp_approval_request", id: "r1", name: "pay", arguments: "{}", server_label: "s" }],
      ["TURN_OPEN", { type: "mcp_approval_response", approval_request_id: "r1", approve: false }],
      ["TURN_COMPLETE", { role: "assistant", content: "Two metres, not paid." }],
      ["NO_TESTED_BOUNDARY", { type: "compaction", encrypted_content: "gA" }],
      ["TURN_OPEN", { role: "user", content: "Search" }],
      ["TURN_OPEN", { type: "web_search_call", id: "ws", status: "completed" }],
      ["TURN_COMPLETE", { role: "assistant", content: "Found." }],
    ],
  },
  {
    adapter: "anthropic-messages",
    steps: [
      ["TURN_OPEN", { role: "user", content: "Tides?" }],
      ["DANGLING_TOOL_CALL", { role: "assistant", content: [toolUse("a"), toolUse("b")], stop_reason: "tool_use" }],
      ["CALLS_ANSWERED", { role: "user", content: ["b", "a"].map((id) => ({ type: "tool_result", tool_use_id: id })) }],
      ["PROVIDER_SUSPENDED", { role: "assistant", content: "Wait.", stop_reason: "pause_turn" }],
      ["TURN_COMPLETE", { role: "assistant", content: "Two metres.", stop_reason: "end_turn" }],
      ["TURN_OPEN", { role: "user", content: "Thanks" }],
      ["TURN_COMPLETE", { role: "assistant", content: [{ type: "text", text: "Welcome." }] }],
    ],
  },
  {
    adapter: "gemini-contents",
    steps: [
      ["TURN_OPEN", { parts: [{ text: "Tides?" }] }],
      [
        "DANGLING_TOOL_CALL",
        { role: "model", parts: [{ functionCall: { name: "tide" } }, { functionCall: { id: "x", name: "tide" } }] },
      ],
      [
        "CALLS_ANSWERED",
        { role: "user", parts: [{ functionResponse: { id: "x" } }, { functionResponse: { name: "tide" } }] },
      ],
      ["THINKING_UNFINISHED", { role: "model", parts: [{ text: "Two.", thought: true }] }],
      ["THINKING_UNFINISHED", { role: "model", parts: [{ text: "Two metres." }] }],
    ],
  },
  {
    adapter: "pydantic-ai",
    steps: [
      ["EMPTY", request({ part_kind: "system-prompt", content: "Be brief." })],
      ["TURN_OPEN", request(prompt)],
      ["DANGLING_TOOL_CALL", response({ part_kind: "text", content: "Looking." }, toolCall("a"), toolCall("b"))],
      ["CALLS_ANSWERED", request(toolReturn("b"), toolReturn("a"))],
      ["TURN_COMPLETE", response({ part_kind: "text", content: "Two metres." })],
      ["TURN_OPEN", request(prompt)],
      ["PROVIDER_SUSPENDED", { ...response({ part_kind: "text", content: "Wait." }), state: "suspended" }],
      ["TURN_COMPLETE", response({ part_kind: "text", content: "Two metres." })],
    ],
  },
];

describe.each(WALKS)("a conversation of $adapter", ({ adapter, steps }) => {
  const entries = steps.map(([, entry]) => entry);

  it.each(steps.map(([stands], at) => ({ stands, length: at + 1 })))(
    "stands at $stands after $length",
    ({ stands, length }) => {
      const verdict = judge(adapter, entries.slice(0, length), ALL);
      expect(verdict.verdict === "SAFE" ? verdict.boundary : verdict.verdict === "UNSAFE" && verdict.cause).toBe(
        stands,
      );
    },
  );
});

const ENDS = {
  "openai-chat": { turn: 8, answered: 5 },
  "openai-responses": { turn: 11, answered: 7 },
  "anthropic-messages": { turn: 5, answered: 3 },
  "gemini-contents": { turn: 0, answered: 3 },
  "pydantic-ai": { turn: 5, answered: 4 },
};

describe.each(WALKS)("the proofs of $adapter", ({ adapter, steps }) => {
  const { turn, answered } = ENDS[adapter as keyof typeof ENDS];
  const upTo = (length: number) => steps.slice(0, length).map(([, entry]) => entry);

  it("holds a finished turn safe by turn-complete and by no other", () => {
    const kind = turn === 0 ? "EMPTY" : "TURN_COMPLETE";
    expect(judge(adapter, upTo(turn), ["turn-complete"])).toEqual({ verdict: "SAFE", boundary: kind });
    expect(judge(adapter, upTo(turn), ["calls-answered", "awaiting-input"])).toMatchObject({
      verdict: "UNSAFE",
      cause: "NO_TESTED_BOUNDARY",
    });
  });

  it("holds answered calls safe by calls-answered and by no other", () => {
    expect(judge(adapter, upTo(answered), ["calls-answered"])).toEqual({ verdict: "SAFE", boundary: "CALLS_ANSWERED" });
    expect(judge(adapter, upTo(answered), ["turn-complete", "awaiting-input"])).toMatchObject({ cause: "TURN_OPEN" });
  });

  it("names its proof", () => {
    const content = { case: "text" as const, value: JSON.stringify(upTo(answered)) };
    const reading = readDocument(`${adapter}/1`, content, []);
    if (reading.kind !== "entries") throw new Error(reading.kind);
    const proof = `${adapter}/calls-answered/1`;
    expect(scan(reading, new Set([proof]))).toMatchObject({ boundary: { proof, entries: answered } });
  });
});

describe("answered calls that are no boundary all the same", () => {
  const user = { role: "user", content: "Tides?" };
  const unsigned = { type: "thinking", thinking: "Hm" };
  const ask = { type: "mcp_approval_request", id: "r", name: "pay", arguments: "{}", server_label: "s" };
  const answer = { type: "mcp_approval_response", approval_request_id: "r", approve: true };
  const output = { type: "function_call_output", call_id: "c", output: "ok" };

  it("stand beside an approval: the provider may have run its call meanwhile", () => {
    const state = [user, fnCall("c"), ask, answer, output];
    expect(judge("openai-responses", state, ALL)).toMatchObject({ cause: "TURN_OPEN", lastSafePosition: 0 });
  });

  it("stand behind thinking that can't go back as it came", () => {
    const results = { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] };
    const state = [user, { role: "assistant", content: [unsigned, toolUse("a")] }, results];
    expect(judge("anthropic-messages", state, ALL)).toMatchObject({
      cause: "THINKING_NOT_VERBATIM",
      lastSafePosition: 0,
    });
  });
});

describe("a pause for a person", () => {
  const ask = (id: string) => ({ type: "mcp_approval_request", id, name: "pay", arguments: "{}", server_label: "s" });
  const user = { role: "user", content: "Pay" };
  const call = fnCall("c");
  const output = { type: "function_call_output", call_id: "c", output: "ok" };

  it.each([
    { name: "one request", state: [user, ask("r")], stands: "AWAITING_INPUT" },
    { name: "two requests", state: [user, ask("r"), ask("s")], stands: "AWAITING_INPUT" },
    { name: "one of two answered", state: [user, ask("r"), ask("s"), answer("r")], stands: "AWAITING_INPUT" },
    { name: "beside an answered call", state: [user, ask("r"), call, output], stands: "AWAITING_INPUT" },
    { name: "beside an open call", state: [user, ask("r"), call], stands: "PENDING_APPROVAL" },
    { name: "beside another problem before it", state: [output, user, ask("r")], stands: "ORPHAN_TOOL_RESULT" },
    {
      name: "passed over",
      state: [user, ask("r"), user, { role: "assistant", content: "Hi" }],
      stands: "PENDING_APPROVAL",
    },
    { name: "cut", state: [user, { ...ask("r"), arguments: "{" }], stands: "PARTIAL_STREAM" },
  ])("$name: $stands", ({ state, stands }) => {
    const verdict = judge("openai-responses", state, ALL);
    expect(verdict).toMatchObject(stands === "AWAITING_INPUT" ? { boundary: stands } : { cause: stands });
  });

  it("keeps its cause where its proof is not published", () => {
    expect(judge("openai-responses", [user, ask("r"), ask("s")])).toEqual({
      verdict: "UNSAFE",
      cause: "PENDING_APPROVAL",
      position: 1,
      openCalls: ["r", "s"],
      completedCalls: [],
      lastSafePosition: 0,
      otherCauses: 1,
    });
  });

  function answer(id: string): unknown {
    return { type: "mcp_approval_response", approval_request_id: id, approve: true };
  }
});

describe("without any published proof", () => {
  it.each([
    { name: "nothing", state: [], position: undefined },
    {
      name: "a finished turn",
      state: [
        { role: "user", content: "a" },
        { role: "assistant", content: "b" },
      ],
      position: 0,
    },
  ])("$name is no tested boundary, and no prefix is", ({ state, position }) => {
    const verdict = judge("openai-chat", state, []);
    expect(verdict).toMatchObject({ verdict: "UNSAFE", cause: "NO_TESTED_BOUNDARY" });
    expect(verdict).not.toHaveProperty("lastSafePosition");
    expect("position" in verdict ? verdict.position : undefined).toBe(position);
  });
});
