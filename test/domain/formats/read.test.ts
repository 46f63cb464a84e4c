import { describe, expect, it } from "vitest";
import { parseFormat } from "../../../src/domain/formats/format-name.ts";
import { readDocument } from "../../../src/domain/formats/read.ts";
import { CheckpointFormat_Cause as Cause } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { judgeText } from "./verdict.ts";

const ALL = ["openai-chat/1", "openai-responses/1", "anthropic-messages/1", "gemini-contents/1", "pydantic-ai/1"];
const text = (value: string) => ({ case: "text" as const, value });

describe("the name of a format", () => {
  it.each([
    { format: "openai-chat/1", parsed: { name: "openai-chat", version: 1 } },
    { format: "acme.agent_2/0", parsed: { name: "acme.agent_2", version: 0 } },
    { format: "a/99999999999", parsed: { name: "a", version: 4294967295 } },
    ...[
      "",
      "/1",
      "a",
      "a/",
      "a/01",
      "a/+1",
      "a/-1",
      "a/1.0",
      "a/1 ",
      " a/1",
      "a/b/1",
      "a/1\n",
      "ä/1",
      "-a/1",
      "a/1e3",
    ].map((format) => ({ format, parsed: undefined })),
  ])("$format", ({ format, parsed }) => {
    expect(parseFormat(format)).toEqual(parsed);
  });
});

describe("the format that a document declares", () => {
  it.each([
    { format: "openai-chat/2", facts: { cause: Cause.FUTURE_VERSION, foundVersion: 2, maxVersion: 1 } },
    {
      format: "openai-chat/99999999999",
      facts: { cause: Cause.FUTURE_VERSION, foundVersion: 4294967295, maxVersion: 1 },
    },
    { format: "openai-chat/0", facts: { cause: Cause.UNDECLARED, candidates: ALL } },
    { format: "acme-agent/1", facts: { cause: Cause.UNDECLARED, candidates: ALL } },
    { format: "acme-agent/3", facts: { cause: Cause.FUTURE_VERSION, foundVersion: 3, maxVersion: 2 } },
    { format: "umbrella/1", facts: { cause: Cause.UNDECLARED, candidates: ALL } },
    { format: "no format", facts: { cause: Cause.UNDECLARED, candidates: ALL } },
  ])("$format is refused", ({ format, facts }) => {
    expect(readDocument(format, text("[]"), ["acme-agent/2"])).toMatchObject({
      kind: "refusal",
      leaf: { case: "checkpointFormat", value: { ...facts, format } },
    });
  });

  it("is opaque where the operator listed it and no adapter reads it", () => {
    const reading = readDocument("acme-agent/2", { case: "binary", value: new Uint8Array([1]) }, ["acme-agent/2"]);
    expect(reading).toEqual({ kind: "opaque", format: { name: "acme-agent", version: 2 } });
  });

  it.each([
    { fits: ["openai-chat/1", "openai-responses/1", "anthropic-messages/1"], state: [{ role: "user", content: "hi" }] },
    { fits: ["openai-chat/1"], state: [{ role: "tool", tool_call_id: "a" }] },
    { fits: ["openai-responses/1"], state: [{ type: "function_call", call_id: "a" }] },
    { fits: ["anthropic-messages/1"], state: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] }] },
    { fits: ["gemini-contents/1"], state: [{ role: "model", parts: [] }] },
    { fits: ["pydantic-ai/1"], state: [{ kind: "request", parts: [] }] },
    { fits: [], state: [{ role: "tool" }] },
    { fits: [], state: { messages: [] } },
  ])("$fits would fit $state", ({ fits, state }) => {
    expect(readDocument("acme/1", text(JSON.stringify(state)), [])).toMatchObject({
      leaf: { value: { cause: Cause.UNDECLARED, candidates: fits } },
    });
  });

  it("names what would fit a document of another shape", () => {
    expect(readDocument("pydantic-ai/1", text('[{"role":"model","parts":[]}]'), [])).toMatchObject({
      leaf: { value: { cause: Cause.UNRECOGNISED, candidates: ["gemini-contents/1"] } },
    });
  });
});

describe("hostile text", () => {
  const depth = 200_000;
  it.each([
    { name: "nothing", hostile: "", cause: "CORRUPT" },
    { name: "a cut list", hostile: '[{"role":"user"', cause: "CORRUPT" },
    { name: "a byte order mark", hostile: "\ufeff[]", cause: "CORRUPT" },
    { name: "two documents", hostile: "[][]", cause: "CORRUPT" },
    { name: "a raw NUL", hostile: '["\0"]', cause: "CORRUPT" },
    { name: "brackets without end", hostile: "[".repeat(depth), cause: "CORRUPT" },
    { name: "a deep list", hostile: "[".repeat(depth) + "]".repeat(depth), cause: "CORRUPT" },
    {
      name: "a key of the prototype",
      hostile: '[{"__proto__":{"role":"user","content":"hi"}}]',
      cause: "UNRECOGNISED",
    },
    { name: "a huge number", hostile: "[1e400]", cause: "CORRUPT" },
  ])("$name is $cause", ({ hostile, cause }) => {
    expect(judgeText("openai-chat", hostile)).toEqual({ verdict: "FORMAT", cause });
  });

  it.each([
    { name: "a key twice: the last one counts", hostile: '[{"role":"user","role":"assistant","content":"hi"}]' },
    { name: "lone surrogates", hostile: '[{"role":"assistant","content":"\\ud800"}]' },
    { name: "escaped NULs", hostile: '[{"role":"assistant","content":"\\u0000"}]' },
    {
      name: "deep content",
      hostile: `[{"role":"assistant","content":"x","y":${"[".repeat(depth)}${"]".repeat(depth)}}]`,
    },
    {
      name: "huge numbers",
      hostile: '[{"role":"assistant","content":"x","y":[1e400,123456789012345678901234567890]}]',
    },
  ])("$name", ({ hostile }) => {
    expect(judgeText("openai-chat", hostile)).toEqual({ verdict: "SAFE", boundary: "TURN_COMPLETE" });
  });

  it("keeps apart ids that an index of one text could mix", () => {
    const ids = ["id\u0000x", "x", "\ud800", "\ud801"];
    const calls = ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } }));
    const state = [
      { role: "assistant", content: null, tool_calls: calls },
      { role: "tool", tool_call_id: "\ud801" },
    ];
    expect(judgeText("openai-chat", JSON.stringify(state))).toMatchObject({
      openCalls: ["id\u0000x", "x", "\ud800"],
      completedCalls: ["\ud801"],
    });
  });

  it("takes binary content for another shape", () => {
    const content = { case: "binary" as const, value: new TextEncoder().encode("[]") };
    expect(readDocument("openai-chat/1", content, [])).toMatchObject({
      leaf: { value: { cause: Cause.UNRECOGNISED } },
    });
  });

  it("judges a hundred thousand entries and calls", () => {
    const call = (id: number) => ({ id: `c${id % 7}`, type: "function", function: { name: "f", arguments: "" } });
    const calls = Array.from({ length: 100_000 }, (_, id) => call(id));
    const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id }));
    const state = [{ role: "assistant", tool_calls: calls }, ...results.slice(1)];
    expect(judgeText("openai-chat", JSON.stringify(state))).toMatchObject({
      cause: "PARALLEL_HALF_ANSWERED",
      openCalls: { length: 1 },
      completedCalls: { length: 99_999 },
    });
  });
});
