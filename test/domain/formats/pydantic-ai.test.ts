import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const request = (...parts: unknown[]) => ({ kind: "request", parts });
const response = (...parts: unknown[]) => ({ kind: "response", parts });
const part = (kind: string, facts: object = {}) => ({ part_kind: kind, ...facts });
const call = (id: unknown, args: unknown = null) => part("tool-call", { tool_name: "f", args, tool_call_id: id });
const result = (id: unknown, facts: object = {}) =>
  part("tool-return", { tool_name: "f", content: "ok", tool_call_id: id, ...facts });
const text = part("text", { content: "hi" });
const thinking = part("thinking", { content: "Hm", signature: null });
const ask = request(part("user-prompt", { content: "hi" }));
const done = response(text);

describe("pydantic-ai, rule by rule", () => {
  it.each([
    ["a retry prompt without a tool is input", [ask, done, request(part("retry-prompt", { tool_call_id: "x" })), done]],
    [
      "a retry prompt with a tool answers its call",
      [ask, response(call("a")), request(part("retry-prompt", { tool_name: "f", tool_call_id: "a" })), done],
    ],
    [
      "every outcome answers",
      [
        ask,
        response(call("a"), call("b"), call("c")),
        request(
          result("a", { outcome: "failed" }),
          result("b", { outcome: "denied" }),
          result("c", { outcome: "retried" }),
        ),
        done,
      ],
    ],
    ["a request's state is no evidence", [{ ...ask, state: "interrupted" }, done]],
    [
      "a prompt beside the returns",
      [ask, response(call("a")), request(result("a"), part("user-prompt", { content: "and?" })), done],
    ],
    ["a suspended response that the next one continues", [ask, { ...done, state: "suspended" }, done]],
    [
      "a builtin call that the next response continues",
      [ask, response(part("builtin-tool-call", { tool_call_id: "b" })), done],
    ],
    ["an answer of a file", [ask, response(part("file", { content: { data: "x" } }))]],
    [
      "an answer in speech",
      [
        request(part("speech", { speaker: "user" })),
        response(part("speech", { speaker: "assistant", transcript: "hi" })),
      ],
    ],
    ["feedback of the library", [ask, done, request(part("retry-feedback", { content: "no output" })), done]],
    ["a request without parts", [request(), done]],
    ["unsigned thinking is not judged", [ask, response(thinking, call("a")), request(result("a")), done]],
    [
      "a tool_call stop is no cut",
      [ask, { ...response(call("a")), finish_reason: "tool_call" }, request(result("a")), done],
    ],
    ["a system prompt beside the user's", [request(part("system-prompt"), part("user-prompt")), done]],
    ["a filter that left nothing ends an answer", [ask, { ...response(), finish_reason: "content_filter" }]],
  ])("safe: %s", (_, state) => {
    expect(judge("pydantic-ai", state)).toEqual({ verdict: "SAFE", boundary: "TURN_COMPLETE" });
  });

  it.each([
    ["an incomplete response", [ask, { ...done, state: "incomplete" }], "PARTIAL_STREAM", 1, [], [], 0],
    ["a response stopped at a limit", [ask, { ...done, finish_reason: "length" }], "PARTIAL_STREAM", 1, [], [], 0],
    ["a response that ended in an error", [ask, { ...done, finish_reason: "error" }], "PARTIAL_STREAM", 1, [], [], 0],
    [
      "an interrupted response, although the model goes on",
      [ask, { ...done, state: "interrupted" }, done],
      "PARTIAL_STREAM",
      1,
      [],
      [],
      0,
    ],
    ["a response without parts", [ask, response()], "PARTIAL_STREAM", 1, [], [], 0],
    ["a response with an empty text", [ask, response(part("text", { content: "" }))], "PARTIAL_STREAM", 1, [], [], 0],
    [
      "cut arguments with their return",
      [ask, response(call("a", "{")), request(result("a")), done],
      "PARTIAL_STREAM",
      1,
      [],
      ["a"],
      0,
    ],
    [
      "a builtin call without its return",
      [ask, response(part("builtin-tool-call", { tool_call_id: "b" }), text), ask],
      "PROVIDER_SUSPENDED",
      1,
      [],
      [],
      0,
    ],
    [
      "thinking last, wherever the response stands",
      [ask, response(text, thinking), done],
      "THINKING_UNFINISHED",
      1,
      [],
      [],
      0,
    ],
    ["an empty request behind a call", [ask, response(call("a")), request()], "DANGLING_TOOL_CALL", 1, ["a"], [], 0],
    [
      "a system prompt is the next request too",
      [ask, response(call("a")), request(part("system-prompt")), request(result("a"))],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
      1,
    ],
    [
      "a retry prompt for a call that is not there",
      [ask, done, request(part("retry-prompt", { tool_name: "f", tool_call_id: "a" }))],
      "ORPHAN_TOOL_RESULT",
      2,
      [],
      [],
      2,
    ],
    ["an unknown part of a response", [ask, response(part("hologram"), text)], "NO_TESTED_BOUNDARY", 1, [], [], 0],
    ["an unknown part of a request", [request(part("hologram")), done], "NO_TESTED_BOUNDARY", 0, [], [], 0],
    ["a call in a request", [request(call("a")), done], "NO_TESTED_BOUNDARY", 0, [], [], 0],
    ["a request without parts waits for the model", [request()], "TURN_OPEN", 0, [], [], 0],
  ] as const)("unsafe: %s", (_, state, cause, position, openCalls, completedCalls, lastSafePosition, otherCauses?) => {
    const others = otherCauses === undefined ? {} : { otherCauses };
    const expected = { verdict: "UNSAFE", cause, position, openCalls, completedCalls, lastSafePosition, ...others };
    expect(judge("pydantic-ai", state)).toEqual(expected);
  });

  it.each([
    ["an unknown kind of message", [{ kind: "event", parts: [] }], "UNRECOGNISED"],
    ["a message without parts", [{ kind: "request" }], "UNRECOGNISED"],
    ["a part without part_kind", [request({ content: "hi" })], "UNRECOGNISED"],
    ["a part that is a text", [request("hi")], "UNRECOGNISED"],
    ["a run instead of its messages", { messages: [ask] }, "UNRECOGNISED"],
    ["an entry that is null", [null], "CORRUPT"],
    ["a return without an id", [ask, response(call("a")), request(part("tool-return", { tool_name: "f" }))], "CORRUPT"],
    ["a retry of a tool without an id", [ask, request(part("retry-prompt", { tool_name: "f" }))], "CORRUPT"],
    ["a call whose id is null", [ask, response(call(null))], "CORRUPT"],
  ])("not of the format: %s", (_, state, cause) => {
    expect(judge("pydantic-ai", state)).toEqual({ verdict: "FORMAT", cause });
  });
});
