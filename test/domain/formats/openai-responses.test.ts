import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const user = { role: "user", content: "hi" };
const done = { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] };
const fn = (id: unknown, more: object = {}) => ({
  type: "function_call",
  call_id: id,
  name: "f",
  arguments: "{}",
  ...more,
});
const out = (id: unknown, type = "function_call_output") => ({ type, call_id: id, output: "ok" });
const ask = (id: unknown) => ({ type: "mcp_approval_request", id, name: "f", arguments: "{}", server_label: "s" });
const answer = (id: unknown) => ({ type: "mcp_approval_response", approval_request_id: id, approve: true });
const thought = { type: "reasoning", id: "rs", summary: [] };
const item = (type: string, more: object = {}) => ({ type, id: "x", ...more });

describe("openai-responses, rule by rule", () => {
  it.each([
    ["no status means finished", [user, fn("a"), out("a"), done]],
    ["null as status and type too", [user, { ...done, status: null, type: null }]],
    [
      "every kind of call has its output",
      [
        user,
        ...["apply_patch", "computer", "custom_tool", "function", "local_shell", "shell"].flatMap((kind) => [
          { type: `${kind}_call`, call_id: kind },
          out(kind, `${kind}_call_output`),
        ]),
        done,
      ],
    ],
    [
      "a search of tools by the host",
      [user, { type: "tool_search_call", call_id: "t" }, out("t", "tool_search_output"), done],
    ],
    ["a search of tools by the provider", [user, item("tool_search_call"), item("tool_search_output"), done]],
    [
      "a local shell's output names its call by its own id",
      [
        user,
        { type: "local_shell_call", call_id: "l" },
        { type: "local_shell_call_output", id: "l", output: "" },
        done,
      ],
    ],
    [
      "every hosted tool",
      [
        user,
        ...["web_search", "file_search", "code_interpreter", "image_generation", "mcp"].map((kind) =>
          item(`${kind}_call`),
        ),
        item("mcp_list_tools"),
        done,
      ],
    ],
    ["a hosted tool that failed is finished", [user, item("web_search_call", { status: "failed" }), done]],
    [
      "free text of a custom tool is never parsed",
      [user, { type: "custom_tool_call", call_id: "c", input: "{" }, out("c", "custom_tool_call_output"), done],
    ],
    ["reasoning may follow reasoning", [user, thought, thought, done]],
    ["reasoning may lead to a hosted tool", [user, thought, item("web_search_call"), done]],
    [
      "a remark between a call and its output is of the same step",
      [user, fn("a"), { ...done, phase: "commentary" }, out("a"), done],
    ],
    ["compacted history is neutral", [item("compaction"), user, done]],
    ["equal ids of calls and approvals do not meet", [user, fn("a"), ask("a"), answer("a"), out("a"), done]],
    ["a text as content", [user, { role: "assistant", content: "done" }]],
    ["unknown kinds of content decide nothing", [{ role: "user", content: [{ type: "hologram" }] }, done]],
    ["another phase is no remark", [user, { ...done, phase: "final_answer" }]],
    ["the status of an output is no evidence", [user, fn("a"), { ...out("a"), status: "incomplete" }, done]],
  ])("safe: %s", (_, state) => {
    expect(judge("openai-responses", state)).toEqual({ verdict: "SAFE", boundary: "TURN_COMPLETE" });
  });

  it.each([
    ["a call in progress", [user, fn("a", { status: "in_progress" })], "PARTIAL_STREAM", 1, ["a"], [], 0],
    [
      "cut arguments beside an open call",
      [user, fn("a", { arguments: "{" }), fn("b")],
      "PARTIAL_STREAM",
      1,
      ["a", "b"],
      [],
      0,
      1,
    ],
    [
      "a cut call with its output",
      [user, fn("a", { arguments: "[" }), out("a"), done],
      "PARTIAL_STREAM",
      1,
      [],
      ["a"],
      0,
    ],
    ["an empty answer", [user, { ...done, content: [] }], "PARTIAL_STREAM", 1, [], [], 0],
    [
      "a hosted tool that still runs",
      [user, item("web_search_call", { status: "searching" }), done],
      "PARTIAL_STREAM",
      1,
      [],
      [],
      0,
    ],
    [
      "an incomplete hosted tool",
      [user, item("mcp_call", { status: "incomplete" }), done],
      "PARTIAL_STREAM",
      1,
      [],
      [],
      0,
    ],
    [
      "a hosted tool is no answer",
      [user, item("image_generation_call", { status: "completed" })],
      "TURN_OPEN",
      0,
      [],
      [],
      0,
    ],
    ["incomplete reasoning", [user, { ...thought, status: "incomplete" }, done], "THINKING_UNFINISHED", 1, [], [], 0],
    ["reasoning that an output follows", [user, fn("a"), thought, out("a"), done], "ORPHAN_REASONING", 2, [], ["a"], 0],
    ["reasoning that compaction follows", [user, thought, item("compaction"), done], "ORPHAN_REASONING", 1, [], [], 0],
    [
      "a developer message ends the block",
      [user, fn("a"), { role: "developer", content: "x" }, out("a"), done],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
      1,
    ],
    [
      "a reference ends the block",
      [user, fn("a"), item("item_reference"), out("a"), done],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
      2,
    ],
    [
      "compaction ends the block",
      [user, fn("a"), item("compaction"), out("a"), done],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
      1,
    ],
    [
      "a message after an output ends the block",
      [user, fn("a"), fn("b"), out("a"), done, out("b")],
      "PARALLEL_HALF_ANSWERED",
      2,
      ["b"],
      ["a"],
      0,
      1,
    ],
    [
      "an output of another kind is no answer",
      [user, fn("a"), out("a", "custom_tool_call_output"), done],
      "DANGLING_TOOL_CALL",
      1,
      ["a"],
      [],
      0,
      1,
    ],
    ["an approval that nobody asked for", [user, answer("r"), done], "ORPHAN_TOOL_RESULT", 1, [], [], 0],
    [
      "an approval given twice",
      [user, ask("r"), answer("r"), answer("r"), done],
      "DUPLICATE_TOOL_RESULT",
      3,
      [],
      [],
      0,
    ],
    ["an answered approval is in neither list", [user, ask("r"), answer("r")], "TURN_OPEN", 0, [], [], 0],
    ["an approval beside an open call", [user, ask("r"), fn("a")], "PENDING_APPROVAL", 1, ["r", "a"], [], 0, 1],
    [
      "an answered approval is no answered call",
      [user, ask("r"), fn("a"), answer("r")],
      "DANGLING_TOOL_CALL",
      2,
      ["a"],
      [],
      0,
    ],
    [
      "an item of an unknown kind might be a call",
      [user, done, user, item("hologram"), done],
      "NO_TESTED_BOUNDARY",
      3,
      [],
      [],
      2,
    ],
    [
      "an unknown item behind an answer is the model's",
      [user, done, item("hologram")],
      "NO_TESTED_BOUNDARY",
      2,
      [],
      [],
      0,
    ],
    ["an answer that the model continues", [user, done, thought, done, user], "TURN_OPEN", 4, [], [], 4],
    ["an answer that a hosted tool continues", [user, done, item("web_search_call")], "TURN_OPEN", 0, [], [], 0],
    ["compacted history alone", [item("compaction")], "NO_TESTED_BOUNDARY", 0, [], [], 0],
    [
      "compacted history behind the system's words",
      [{ role: "system", content: "x" }, item("compaction")],
      "NO_TESTED_BOUNDARY",
      1,
      [],
      [],
      1,
    ],
    ["compacted history, then the user", [user, done, item("compaction"), user], "TURN_OPEN", 2, [], [], 2],
  ] as const)("unsafe: %s", (_, state, cause, position, openCalls, completedCalls, lastSafePosition, otherCauses?) => {
    const others = otherCauses === undefined ? {} : { otherCauses };
    const expected = { verdict: "UNSAFE", cause, position, openCalls, completedCalls, lastSafePosition, ...others };
    expect(judge("openai-responses", state)).toEqual(expected);
  });

  it.each([
    ["the tool role", [user, { role: "tool", tool_call_id: "a", content: "1" }], "UNRECOGNISED"],
    ["blocks of Anthropic", [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] }], "UNRECOGNISED"],
    ["text blocks of Chat Completions", [{ role: "user", content: [{ type: "text", text: "hi" }] }], "UNRECOGNISED"],
    ["parts", [{ role: "user", parts: [{ text: "hi" }] }], "UNRECOGNISED"],
    ["neither a type nor a role", [{ id: "msg_1" }], "UNRECOGNISED"],
    ["a type that is no text", [{ type: 3, role: "user" }], "UNRECOGNISED"],
    ["a response instead of its items", { object: "response", output: [done] }, "UNRECOGNISED"],
    ["an entry that is a text", ["hi"], "CORRUPT"],
    ["an output without call_id", [user, fn("a"), { type: "function_call_output", output: "1" }], "CORRUPT"],
    ["a custom call without call_id", [user, { type: "custom_tool_call", input: "x" }], "CORRUPT"],
    ["a call whose call_id is null", [user, fn(null)], "CORRUPT"],
    ["an approval request without id", [user, ask(undefined)], "CORRUPT"],
    ["an approval without its request's id", [user, ask("r"), answer(undefined)], "CORRUPT"],
  ])("not of the format: %s", (_, state, cause) => {
    expect(judge("openai-responses", state)).toEqual({ verdict: "FORMAT", cause });
  });
});
