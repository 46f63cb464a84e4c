import { describe, expect, it } from "vitest";
import { zonesOf } from "../../../src/domain/conversation/replay-zones.ts";
import { readDocument } from "../../../src/domain/formats/read.ts";
import { ReplayZone } from "../../../src/gen/fermata/conversation/v1/transcript_pb.ts";

const user = (content = "go") => ({ role: "user", content });
const answer = { role: "assistant", content: "done" };
const call = (...ids: readonly string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
});
const cutCall = (id: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "f", arguments: '{"a":' } }],
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
const toolUse = (...ids: readonly string[]) => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: "f", input: {} })),
});
const toolResult = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const approvalRequest = { type: "mcp_approval_request", id: "a1", name: "f", arguments: "{}", server_label: "s" };
const approval = { type: "mcp_approval_response", approval_request_id: "a1", approve: true };
const said = (text: string) => ({ type: "message", role: "user", content: text });

const words: Readonly<Record<number, string>> = {
  [ReplayZone.PREFIX]: "PREFIX",
  [ReplayZone.RE_DRIVE]: "RE_DRIVE",
  [ReplayZone.EVIDENCE]: "EVIDENCE",
  [ReplayZone.VOID]: "VOID",
};

const zoned = (format: string, document: unknown, prefix: number) => {
  const reading = readDocument(format, { case: "text", value: JSON.stringify(document) }, []);
  if (reading.kind !== "entries") throw new Error(`${reading.kind} of ${format}`);
  return zonesOf(reading.entries, prefix);
};

describe("the zones of a replay", () => {
  it.each([
    { what: "a finished document is prefix", document: [user(), answer], prefix: 2, zones: "PREFIX PREFIX" },
    { what: "user input after the boundary is driven again", document: [user()], prefix: 0, zones: "RE_DRIVE" },
    {
      what: "an answered call and its result happened",
      document: [user(), call("c1"), result("c1")],
      prefix: 0,
      zones: "RE_DRIVE EVIDENCE EVIDENCE",
    },
    {
      what: "one answered call makes the entry evidence; the other is in doubt",
      document: [user(), call("c1", "c2"), result("c2")],
      prefix: 0,
      zones: "RE_DRIVE EVIDENCE EVIDENCE",
      inDoubt: ["", "c1", ""],
    },
    {
      what: "a complete call without a result is in doubt, and nothing to use",
      document: [user(), call("c1")],
      prefix: 0,
      zones: "RE_DRIVE VOID",
      inDoubt: ["", "c1"],
    },
    { what: "a cut call never left the model", document: [user(), cutCall("c1")], prefix: 0, zones: "RE_DRIVE VOID" },
    {
      what: "a cut call that has a result did run",
      document: [user(), cutCall("c1"), result("c1")],
      prefix: 0,
      zones: "RE_DRIVE EVIDENCE EVIDENCE",
    },
    {
      what: "what the model said is made again",
      document: [user(), call("c1"), result("c1"), answer],
      prefix: 0,
      zones: "RE_DRIVE EVIDENCE EVIDENCE VOID",
    },
    {
      what: "instructions are the host's own, not a user's",
      document: [user(), answer, { role: "system", content: "be brief" }, user()],
      prefix: 2,
      zones: "PREFIX PREFIX VOID RE_DRIVE",
    },
    {
      what: "a result without its call proves nothing",
      document: [user(), answer, result("c9")],
      prefix: 2,
      zones: "PREFIX PREFIX VOID",
    },
    {
      what: "only the first of two results is one",
      document: [user(), call("c1"), result("c1"), result("c1")],
      prefix: 0,
      zones: "RE_DRIVE EVIDENCE EVIDENCE VOID",
    },
    {
      what: "the result of another block is none",
      document: [user(), call("c1"), user("again"), result("c1")],
      prefix: 0,
      zones: "RE_DRIVE VOID RE_DRIVE VOID",
      inDoubt: ["", "c1", "", ""],
    },
    {
      what: "equal ids pair in order, so the second call is in doubt",
      document: [user(), call("c1", "c1"), result("c1")],
      prefix: 0,
      zones: "RE_DRIVE EVIDENCE EVIDENCE",
      inDoubt: ["", "c1", ""],
    },
  ])("$what", ({ document, prefix, zones, inDoubt }) => {
    const found = zoned("openai-chat/1", document, prefix);
    expect(found.map(({ zone }) => words[zone]).join(" ")).toBe(zones);
    expect(found.map((entry) => entry.inDoubt.join(" "))).toEqual(inDoubt ?? document.map(() => ""));
  });

  it.each([
    {
      what: "an approval and its answer are a human's business: neither evidence nor in doubt",
      format: "openai-responses/1",
      document: [said("pay"), approvalRequest, approval],
      zones: "RE_DRIVE VOID VOID",
      inDoubt: "",
    },
    {
      what: "an open approval is not in doubt",
      format: "openai-responses/1",
      document: [said("pay"), approvalRequest],
      zones: "RE_DRIVE VOID",
      inDoubt: "",
    },
    {
      what: "an entry that brings a result and a user's words is evidence",
      format: "anthropic-messages/1",
      document: [
        user(),
        toolUse("t1", "t2"),
        { role: "user", content: [toolResult("t1"), { type: "text", text: "and?" }] },
      ],
      zones: "RE_DRIVE EVIDENCE EVIDENCE",
      inDoubt: "t2",
    },
  ])("$what", ({ format, document, zones, inDoubt }) => {
    const found = zoned(format, document, 0);
    expect(found.map(({ zone }) => words[zone]).join(" ")).toBe(zones);
    expect(found.flatMap((entry) => entry.inDoubt).join(" ")).toBe(inDoubt);
  });
});
