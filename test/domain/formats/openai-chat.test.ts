import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const user = (content: unknown = "hi") => ({ role: "user", content });
const says = (content: unknown) => ({ role: "assistant", content });
const call = (id: unknown, args?: unknown) => ({ id, type: "function", function: { name: "f", arguments: args } });
const calls = (...list: unknown[]) => ({ role: "assistant", content: null, tool_calls: list });
const tool = (id: unknown) => ({ role: "tool", tool_call_id: id, content: "ok" });
const done = says("done");
const safe = { verdict: "SAFE", boundary: "TURN_COMPLETE" };

describe("openai-chat, rule by rule", () => {
  it.each([
    ["an empty text of arguments means none", [user(), calls(call("a", "")), tool("a"), done]],
    ["missing arguments were not cut", [user(), calls(call("a")), tool("a"), done]],
    ["arguments that a host parsed were not cut", [user(), calls(call("a", { x: 1 })), tool("a"), done]],
    ["arguments may be any complete JSON", [user(), calls(call("a", " 12 ")), tool("a"), done]],
    ["null as tool_calls is no call", [user(), { ...done, tool_calls: null, function_call: null, parts: null }]],
    ["a refusal part is an answer", [user(), says([{ type: "refusal", refusal: "No." }])]],
    ["audio is an answer", [user(), { role: "assistant", content: null, audio: { id: "audio_1" } }]],
    ["a content filter ends an answer", [user(), { ...done, finish_reason: "content_filter" }]],
    ["two calls of one id take one result each", [user(), calls(call("a"), call("a")), tool("a"), tool("a"), done]],
    [
      "ids are opaque: blanks, case and normal forms differ",
      [
        user(),
        calls(call("a"), call("A"), call(" a"), call("\u00e9"), call("e\u0301"), call("")),
        ...["", "e\u0301", "\u00e9", " a", "A", "a"].map(tool),
        done,
      ],
    ],
    [
      "a prototype's name is an id like any other",
      [user(), calls(call("__proto__"), call("constructor")), tool("constructor"), tool("__proto__"), done],
    ],
    ["a user may speak after answered calls", [user(), calls(call("a")), tool("a"), user("go on"), done]],
    ["unknown kinds of the user's content decide nothing", [user([{ type: "hologram" }, 7]), done]],
    ["a result may be anything", [user(), calls(call("a")), { role: "tool", tool_call_id: "a" }, done]],
    ["an answer may stand first", [done]],
    ["a filter that left nothing ends an answer", [user(), { ...says(null), finish_reason: "content_filter" }]],
  ])("safe: %s", (_, state) => {
    expect(judge("openai-chat", state)).toEqual(safe);
  });

  it.each([
    ["cut arguments, open", [user(), calls(call("a", "{"))], "PARTIAL_STREAM", 1, ["a"], [], 0],
    [
      "a blank is no complete JSON",
      [user(), calls(call("a", " ")), tool("a"), done],
      "PARTIAL_STREAM",
      1,
      [],
      ["a"],
      0,
    ],
    ["stopped at a limit", [user(), { ...says("abc"), finish_reason: "length" }], "PARTIAL_STREAM", 1, [], [], 0],
    ["nothing at all", [user(), done, user(), says("")], "PARTIAL_STREAM", 3, [], [], 2],
    ["no content at all", [user(), { role: "assistant" }], "PARTIAL_STREAM", 1, [], [], 0],
    ["only empty parts", [user(), says([{ type: "text", text: "" }])], "PARTIAL_STREAM", 1, [], [], 0],
    [
      "a call of the deprecated kind",
      [user(), { ...done, function_call: { name: "f" } }],
      "NO_TESTED_BOUNDARY",
      1,
      [],
      [],
      0,
    ],
    [
      "a result behind another message",
      [user(), calls(call("a")), user(), tool("a"), done],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
      1,
    ],
    ["a result before its call", [user(), tool("a"), calls(call("a")), done], "ORPHAN_TOOL_RESULT", 1, ["a"], [], 0, 1],
    [
      "a third result for two calls of one id",
      [user(), calls(call("a"), call("a")), tool("a"), tool("a"), tool("a")],
      "DUPLICATE_TOOL_RESULT",
      4,
      [],
      ["a", "a"],
      0,
    ],
    [
      "one result for two calls of one id",
      [user(), calls(call("a"), call("a")), tool("a")],
      "PARALLEL_HALF_ANSWERED",
      1,
      ["a"],
      ["a"],
      0,
    ],
    ["a result of another id", [user(), calls(call("a")), tool("b"), done], "DANGLING_TOOL_CALL", 1, ["a"], [], 0, 1],
    ["an answer that the model continues", [user(), says("a"), says("b"), user()], "TURN_OPEN", 3, [], [], 3],
    ["an answer that a call continues", [user(), done, calls(call("a"))], "DANGLING_TOOL_CALL", 2, ["a"], [], 0],
    ["two open blocks", [user(), calls(call("a")), calls(call("b"))], "DANGLING_TOOL_CALL", 1, ["a", "b"], [], 0, 1],
    [
      "a problem before finished turns",
      [user(), calls(call("a")), done, user(), done],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
    ],
    [
      "system messages behind answered calls wait for the model",
      [user(), calls(call("a")), tool("a"), { role: "system", content: "x" }],
      "TURN_OPEN",
      0,
      [],
      ["a"],
      0,
    ],
  ] as const)("unsafe: %s", (_, state, cause, position, openCalls, completedCalls, lastSafePosition, otherCauses?) => {
    const others = otherCauses === undefined ? {} : { otherCauses };
    const expected = { verdict: "UNSAFE", cause, position, openCalls, completedCalls, lastSafePosition, ...others };
    expect(judge("openai-chat", state)).toEqual(expected);
  });

  it.each([
    ["an unknown role", [user(), { role: "function", name: "f", content: "1" }], "UNRECOGNISED"],
    ["no role", [{ content: "hi" }], "UNRECOGNISED"],
    ["parts", [{ role: "user", parts: [{ text: "hi" }] }], "UNRECOGNISED"],
    ["an object as content", [user({ text: "hi" })], "UNRECOGNISED"],
    ["blocks of Responses", [user([{ type: "input_text", text: "hi" }])], "UNRECOGNISED"],
    ["parts of the AI SDK", [says([{ type: "tool-call", toolCallId: "a" }])], "UNRECOGNISED"],
    ["thinking blocks", [says([{ type: "thinking", thinking: "x" }])], "UNRECOGNISED"],
    ["a text", "hi", "UNRECOGNISED"],
    ["a number", 1, "UNRECOGNISED"],
    ["null", null, "UNRECOGNISED"],
    ["an entry that is null", [user(), null, done], "CORRUPT"],
    ["an entry that is a list", [[user()]], "CORRUPT"],
    ["another shape outweighs damage", [null, { role: "model" }], "UNRECOGNISED"],
    ["a call whose id is a number", [user(), calls(call(7))], "CORRUPT"],
    ["a call that is no object", [user(), calls("a")], "CORRUPT"],
    ["calls that are no list", [user(), { ...done, tool_calls: call("a") }], "CORRUPT"],
    ["a result without an id", [user(), calls(call("a")), { role: "tool", content: "ok" }], "CORRUPT"],
    ["a result whose id is null", [user(), calls(call("a")), tool(null)], "CORRUPT"],
  ])("not of the format: %s", (_, state, cause) => {
    expect(judge("openai-chat", state)).toEqual({ verdict: "FORMAT", cause });
  });
});
