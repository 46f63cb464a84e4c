import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const user = (...parts: unknown[]) => ({ role: "user", parts });
const says = (...parts: unknown[]) => ({ role: "model", parts });
const text = { text: "hi" };
const call = (facts: object) => ({ functionCall: { args: {}, ...facts } });
const result = (facts: object) => ({ functionResponse: { response: {}, ...facts } });
const code = { executableCode: { language: "PYTHON", code: "1" } };
const ran = { codeExecutionResult: { outcome: "OUTCOME_OK" } };
const thought = { text: "Hm", thought: true };
const ask = user(text);
const done = says(text);

describe("gemini-contents, rule by rule", () => {
  it.each([
    ["null as an id is none", [ask, says(call({ id: null, name: "f" })), user(result({ id: null, name: "f" })), done]],
    [
      "a response's name is free where ids pair",
      [ask, says(call({ id: "1", name: "f" })), user(result({ id: "1", name: "g" })), done],
    ],
    [
      "calls with and without id side by side",
      [
        ask,
        says(call({ id: "f", name: "f" }), call({ name: "f" })),
        user(result({ name: "f" }), result({ id: "f", name: "f" })),
        done,
      ],
    ],
    [
      "null for the kinds that a part is not",
      [user({ text: "hi", functionCall: null, inlineData: null }), says({ text: null, inlineData: { data: "x" } })],
    ],
    ["an answer of media", [ask, says({ fileData: { fileUri: "x" } })]],
    [
      "the provider's tool with its response",
      [ask, says({ toolCall: { id: "t" } }, { toolResponse: { id: "t" } }, text)],
    ],
    ["code that the model's next entry continues", [ask, says(code), says(ran, text)]],
    ["an answer of the provider's code", [ask, says(code, ran)]],
    ["a signature alone decides nothing", [ask, says(text, { thoughtSignature: "x" })]],
    ["unknown fields beside a known kind", [ask, says({ text: "hi", x_trace: { state: "streaming" } })]],
    ["text beside a response", [ask, says(call({ name: "f" })), user(result({ name: "f" }), text), done]],
    ["a thought that leads to a call", [ask, says(thought, call({ name: "f" })), user(result({ name: "f" })), done]],
    ["a part that describes nothing", [user({}), done]],
    ["a filter that left nothing ends an answer", [ask, { role: "model", finishReason: "SAFETY" }]],
  ])("safe: %s", (_, state) => {
    expect(judge("gemini-contents", state)).toEqual({ verdict: "SAFE", boundary: "TURN_COMPLETE" });
  });

  it.each([
    ["a call that will go on", [ask, says(call({ id: "1", willContinue: true }))], "PARTIAL_STREAM", 1, ["1"], [], 0],
    [
      "arguments left as cut text",
      [ask, says(call({ id: "1", args: "{" })), user(result({ id: "1" })), done],
      "PARTIAL_STREAM",
      1,
      [],
      ["1"],
      0,
    ],
    ["no parts at all", [ask, { role: "model" }], "PARTIAL_STREAM", 1, [], [], 0],
    [
      "an empty text with a signature",
      [ask, says({ text: "", thoughtSignature: "x" })],
      "PARTIAL_STREAM",
      1,
      [],
      [],
      0,
    ],
    [
      "a kept reason that names a limit",
      [ask, { ...done, finishReason: "MAX_TOKENS" }],
      "PARTIAL_STREAM",
      1,
      [],
      [],
      0,
    ],
    [
      "the provider's tool without its response",
      [ask, says({ toolCall: { id: "t" } }, text)],
      "PROVIDER_SUSPENDED",
      1,
      [],
      [],
      0,
    ],
    [
      "the response of another tool call",
      [ask, says({ toolCall: { id: "t" } }, { toolResponse: { id: "u" } }, text)],
      "PROVIDER_SUSPENDED",
      1,
      [],
      [],
      0,
    ],
    ["one of two codes ran", [ask, says(code, ran, code), ask], "PROVIDER_SUSPENDED", 1, [], [], 0],
    [
      "a thought last, wherever the entry stands",
      [ask, says(text, thought), done],
      "THINKING_UNFINISHED",
      1,
      [],
      [],
      0,
    ],
    ["a thought before an empty text", [ask, says(thought, { text: "" })], "THINKING_UNFINISHED", 1, [], [], 0],
    [
      "a response with an id for a call without",
      [ask, says(call({ name: "f" })), user(result({ id: "1", name: "f" })), done],
      "DANGLING_TOOL_CALL",
      1,
      ["f"],
      [],
      0,
      1,
    ],
    [
      "an id that equals another call's name",
      [ask, says(call({ name: "f" })), user(result({ id: "f" })), done],
      "DANGLING_TOOL_CALL",
      1,
      ["f"],
      [],
      0,
      1,
    ],
    [
      "a third response for two calls of one name",
      [ask, says(call({ name: "f" }), call({ name: "f" })), user(...Array(3).fill(result({ name: "f" }))), done],
      "DUPLICATE_TOOL_RESULT",
      2,
      [],
      ["f", "f"],
      0,
    ],
    [
      "one response for two calls of one name",
      [ask, says(call({ name: "f" }), call({ name: "f" })), user(result({ name: "f" }))],
      "PARALLEL_HALF_ANSWERED",
      1,
      ["f"],
      ["f"],
      0,
    ],
    [
      "the model's own entry ends the block",
      [ask, says(call({ id: "1" })), done, user(result({ id: "1" }))],
      "DANGLING_TOOL_CALL",
      1,
      ["1"],
      [],
      0,
      1,
    ],
    [
      "a response in the calling entry is in no block",
      [ask, says(call({ id: "1" }), result({ id: "1" }), text), ask],
      "ORPHAN_TOOL_RESULT",
      1,
      ["1"],
      [],
      0,
    ],
    ["a call in the user's entry", [user(call({ id: "1" })), done], "NO_TESTED_BOUNDARY", 0, [], [], 0],
    ["an unknown part of the user's", [user({ gesture: {} }), done], "NO_TESTED_BOUNDARY", 0, [], [], 0],
    ["two entries that offend", [user({ gesture: {} }), says(), ask], "NO_TESTED_BOUNDARY", 0, [], [], 0, 1],
  ] as const)("unsafe: %s", (_, state, cause, position, openCalls, completedCalls, lastSafePosition, otherCauses?) => {
    const others = otherCauses === undefined ? {} : { otherCauses };
    const expected = { verdict: "UNSAFE", cause, position, openCalls, completedCalls, lastSafePosition, ...others };
    expect(judge("gemini-contents", state)).toEqual(expected);
  });

  it.each([
    ["the system role", [{ role: "system", parts: [text] }], "UNRECOGNISED"],
    ["the user without parts", [{ role: "user" }], "UNRECOGNISED"],
    ["parts that are no list", [{ role: "user", parts: text }], "UNRECOGNISED"],
    ["a part that is a text", [user("hi")], "UNRECOGNISED"],
    ["a part of the AI SDK", [user({ type: "text", text: "hi" })], "UNRECOGNISED"],
    ["a part of pydantic-ai", [{ parts: [{ part_kind: "user-prompt", content: "hi" }] }], "UNRECOGNISED"],
    ["a message of pydantic-ai without parts", [{ kind: "request", parts: [] }], "UNRECOGNISED"],
    ["content beside parts", [{ role: "user", parts: [text], content: "hi" }], "UNRECOGNISED"],
    ["a request instead of its contents", { contents: [ask] }, "UNRECOGNISED"],
    ["an entry that is null", [ask, null], "CORRUPT"],
    ["a call whose id is a number", [ask, says(call({ id: 1, name: "f" }))], "CORRUPT"],
    ["a call that is a text", [ask, says({ functionCall: "f" })], "CORRUPT"],
    ["a response with neither id nor name", [ask, says(call({ name: "f" })), user(result({}))], "CORRUPT"],
  ])("not of the format: %s", (_, state, cause) => {
    expect(judge("gemini-contents", state)).toEqual({ verdict: "FORMAT", cause });
  });
});
