import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const user = (...content: unknown[]) => ({ role: "user", content });
const says = (...content: unknown[]) => ({ role: "assistant", content });
const text = { type: "text", text: "hi" };
const use = (id: unknown, input: unknown = {}) => ({ type: "tool_use", id, name: "f", input });
const result = (id: unknown) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const server = (id: unknown, type = "server_tool_use") => ({ type, id, name: "web_search", input: {} });
const found = (id: unknown, type = "web_search_tool_result") => ({ type, tool_use_id: id, content: [] });
const signed = { type: "thinking", thinking: "", signature: "c2ln" };
const unsigned = { type: "thinking", thinking: "Hm" };
const ask = user(text);
const done = says(text);

describe("anthropic-messages, rule by rule", () => {
  it.each([
    ["stop reasons that end an answer", [ask, { ...done, stop_reason: "stop_sequence" }]],
    ["text beside the results", [ask, says(use("a")), user(result("a"), text), done]],
    ["unsigned thinking of a finished turn", [ask, says(unsigned, use("a")), user(result("a")), done]],
    ["unsigned thinking before an answer", [ask, says(unsigned, text)]],
    ["redacted thinking", [ask, says({ type: "redacted_thinking", data: "x" }, text)]],
    ["an answer of media", [ask, says({ type: "image", source: {} })]],
    ["an answer of the provider's tools", [ask, says(server("s"), found("s"))]],
    [
      "an MCP tool that the next entry continues",
      [ask, says(server("s", "mcp_tool_use")), says(found("s", "mcp_tool_result"), text)],
    ],
    [
      "a pause that another pause continues",
      [ask, { ...done, stop_reason: "pause_turn" }, { ...done, stop_reason: "pause_turn" }, done],
    ],
    ["the system's words in the list", [{ role: "system", content: "x" }, ask, done]],
    [
      "a response kept whole",
      [
        ask,
        { id: "msg_1", type: "message", model: "m", usage: {}, stop_sequence: null, ...done, stop_reason: "end_turn" },
      ],
    ],
    [
      "calls of one turn after another",
      [ask, says(use("a")), user(result("a")), says(use("a")), user(result("a")), done],
    ],
    ["the user's media", [user({ type: "document", source: {} }, { type: "image", source: {} }), done]],
    ["a refusal that left nothing ends an answer", [ask, { ...says(), stop_reason: "refusal" }]],
  ])("safe: %s", (_, state) => {
    expect(judge("anthropic-messages", state)).toEqual({ verdict: "SAFE", boundary: "TURN_COMPLETE" });
  });

  it.each([
    ["a stop reason of null", [ask, { ...done, stop_reason: null }], "PARTIAL_STREAM", 1, [], [], 0],
    [
      "the window's end",
      [ask, { ...done, stop_reason: "model_context_window_exceeded" }],
      "PARTIAL_STREAM",
      1,
      [],
      [],
      0,
    ],
    [
      "a limit, although the model goes on",
      [ask, { ...done, stop_reason: "max_tokens" }, done],
      "PARTIAL_STREAM",
      1,
      [],
      [],
      0,
    ],
    ["an empty answer", [ask, says()], "PARTIAL_STREAM", 1, [], [], 0],
    ["an empty text", [ask, { role: "assistant", content: "" }], "PARTIAL_STREAM", 1, [], [], 0],
    ["an input that is a list", [ask, says(use("a", []))], "PARTIAL_STREAM", 1, ["a"], [], 0],
    [
      "an input that is missing",
      [ask, says({ type: "tool_use", id: "a" }), user(result("a")), done],
      "PARTIAL_STREAM",
      1,
      [],
      ["a"],
      0,
    ],
    [
      "a pause that nobody continues",
      [ask, { ...done, stop_reason: "pause_turn" }, ask, done],
      "PROVIDER_SUSPENDED",
      1,
      [],
      [],
      0,
    ],
    ["the provider's call without its result", [ask, says(server("s"), text), ask], "PROVIDER_SUSPENDED", 1, [], [], 0],
    [
      "the provider's result for another call",
      [ask, says(server("s"), found("t"), text)],
      "PROVIDER_SUSPENDED",
      1,
      [],
      [],
      0,
    ],
    [
      "a suspended call comes before the host's open one",
      [ask, says(server("s"), use("a"))],
      "PROVIDER_SUSPENDED",
      1,
      ["a"],
      [],
      0,
    ],
    ["thinking last, wherever the entry stands", [ask, says(text, signed), done], "THINKING_UNFINISHED", 1, [], [], 0],
    [
      "thinking before an empty text",
      [ask, says(signed, { type: "text", text: "" })],
      "THINKING_UNFINISHED",
      1,
      [],
      [],
      0,
    ],
    [
      "redacted thinking without data in the running turn",
      [ask, says({ type: "redacted_thinking" }, use("a")), user(result("a"))],
      "THINKING_NOT_VERBATIM",
      1,
      [],
      ["a"],
      0,
    ],
    [
      "an empty signature is none",
      [ask, says({ ...signed, signature: "" }, use("a"))],
      "THINKING_NOT_VERBATIM",
      1,
      ["a"],
      [],
      0,
    ],
    [
      "lost thinking in each entry of the running turn",
      [ask, says(unsigned, use("a")), user(result("a")), says(unsigned, use("b")), user(result("b"))],
      "THINKING_NOT_VERBATIM",
      1,
      [],
      ["a", "b"],
      0,
      1,
    ],
    [
      "lost thinking behind a finished turn",
      [ask, done, ask, says(unsigned, use("a")), user(result("a"))],
      "THINKING_NOT_VERBATIM",
      3,
      [],
      ["a"],
      2,
    ],
    [
      "lost thinking of a finished turn is no problem beside another one",
      [ask, says(unsigned, use("a")), ask, done],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
    ],
    [
      "an entry of the assistant's own ends the block",
      [ask, says(use("a")), done, user(result("a"))],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
      1,
    ],
    [
      "the block is one entry long",
      [ask, says(use("a"), use("b")), user(result("a")), user(result("b")), done],
      "PARALLEL_HALF_ANSWERED",
      1,
      ["b"],
      ["a"],
      0,
      1,
    ],
    ["an unknown block of the user's", [user({ type: "hologram" }), done], "NO_TESTED_BOUNDARY", 0, [], [], 0],
    ["a call in the user's entry", [user(use("a")), done], "NO_TESTED_BOUNDARY", 0, [], [], 0],
    [
      "an unknown block beside an open call",
      [ask, says({ type: "hologram" }, use("a"))],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
    ],
    ["an unknown block is not nothing", [ask, says({ type: "hologram" })], "NO_TESTED_BOUNDARY", 1, [], [], 0],
    [
      "duplicate and orphan in one entry are one problem",
      [ask, says(use("a")), user(result("a"), result("z"), result("a")), done],
      "DUPLICATE_TOOL_RESULT",
      2,
      [],
      ["a"],
      0,
    ],
    ["the system's words last", [ask, done, { role: "system", content: "x" }], "NO_TESTED_BOUNDARY", 2, [], [], 2],
  ] as const)("unsafe: %s", (_, state, cause, position, openCalls, completedCalls, lastSafePosition, otherCauses?) => {
    const others = otherCauses === undefined ? {} : { otherCauses };
    const expected = { verdict: "UNSAFE", cause, position, openCalls, completedCalls, lastSafePosition, ...others };
    expect(judge("anthropic-messages", state)).toEqual(expected);
  });

  it.each([
    ["the developer role", [{ role: "developer", content: "x" }], "UNRECOGNISED"],
    ["no content", [{ role: "assistant" }], "UNRECOGNISED"],
    ["null as content", [{ role: "assistant", content: null }], "UNRECOGNISED"],
    ["image_url blocks", [user({ type: "image_url", image_url: {} })], "UNRECOGNISED"],
    ["input_text blocks", [user({ type: "input_text", text: "x" })], "UNRECOGNISED"],
    ["a block without a type", [user({ text: "x" })], "UNRECOGNISED"],
    ["a block that is a text", [user("x")], "UNRECOGNISED"],
    ["tool_calls beside text", [ask, { ...done, tool_calls: [] }], "UNRECOGNISED"],
    ["parts", [{ role: "user", content: "x", parts: [] }], "UNRECOGNISED"],
    ["an entry that is null", [null], "CORRUPT"],
    ["a call without id", [ask, says({ type: "tool_use", name: "f", input: {} })], "CORRUPT"],
    ["a result whose id is a number", [ask, says(use("a")), user(result(1))], "CORRUPT"],
    ["the provider's call without id", [ask, says(server(undefined), text)], "CORRUPT"],
  ])("not of the format: %s", (_, state, cause) => {
    expect(judge("anthropic-messages", state)).toEqual({ verdict: "FORMAT", cause });
  });
});
