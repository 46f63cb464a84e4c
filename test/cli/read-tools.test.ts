import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTools } from "../../src/cli/read-tools.ts";

const schema = { type: "object" };
const listed = {
  tools: [
    { name: "search", inputSchema: schema },
    { name: "mail", inputSchema: schema },
  ],
};
const initialized = { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} } } };

function namesIn(text: string): readonly string[] | string {
  const read = readTools(text);
  return read.kind === "tools" ? read.tools.map((tool) => tool.name) : read.found;
}

const shapes = [
  { shape: "an MCP result", value: listed },
  { shape: "an MCP answer in its envelope", value: { jsonrpc: "2.0", id: 1, result: listed } },
  {
    shape: "an OpenAI chat array",
    value: ["search", "mail"].map((name) => ({ type: "function", function: { name, parameters: schema } })),
  },
  { shape: "an OpenAI responses array", value: ["search", "mail"].map((name) => ({ type: "function", name })) },
  {
    shape: "an OpenAI chat request",
    value: {
      model: "m",
      messages: [],
      tools: [
        { type: "function", function: { name: "search" } },
        { type: "custom", custom: { name: "mail" } },
      ],
    },
  },
  { shape: "an Anthropic array", value: ["search", "mail"].map((name) => ({ name, input_schema: schema })) },
  {
    shape: "an Anthropic request",
    value: {
      model: "m",
      max_tokens: 1,
      tools: [
        { name: "search", input_schema: schema },
        { type: "bash_20250124", name: "mail" },
      ],
    },
  },
  {
    shape: "a Gemini array",
    value: [{ functionDeclarations: [{ name: "search" }] }, { functionDeclarations: [{ name: "mail" }] }],
  },
  { shape: "a Gemini array in snake case", value: [{ function_declarations: [{ name: "search" }, { name: "mail" }] }] },
  {
    shape: "a Gemini request",
    value: { contents: [], tools: [{ functionDeclarations: [{ name: "search" }, { name: "mail" }] }] },
  },
  { shape: "one Gemini tool", value: { functionDeclarations: [{ name: "search" }, { name: "mail" }] } },
  {
    shape: "a Bedrock request",
    value: { toolConfig: { tools: [{ toolSpec: { name: "search" } }, { toolSpec: { name: "mail" } }] } },
  },
  { shape: "a list of names", value: ["search", "mail"] },
  { shape: "our own registry", value: { tools: [{ name: "search", tags: ["read"] }, { name: "mail" }] } },
];

describe("reads", () => {
  it.each(shapes)("$shape", ({ value }) => {
    expect(namesIn(JSON.stringify(value))).toEqual(["search", "mail"]);
    expect(namesIn(JSON.stringify(value, null, "\t"))).toEqual(["search", "mail"]);
  });

  it.each([
    { shape: "names, one a line", text: "search\n\n  mail\r\n" },
    {
      shape: "what an MCP server wrote",
      text: `${JSON.stringify(initialized)}\n${JSON.stringify({ jsonrpc: "2.0", id: 1, result: listed })}\n`,
    },
    {
      shape: "two pages",
      text: [
        { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "search" }], nextCursor: "2" } },
        { jsonrpc: "2.0", id: 2, result: { tools: [{ name: "mail" }] } },
      ]
        .map((message) => JSON.stringify(message))
        .join("\n"),
    },
  ])("$shape", ({ text }) => {
    expect(readTools(text)).toMatchObject({ kind: "tools", notes: [] });
    expect(namesIn(text)).toEqual(["search", "mail"]);
  });

  it("the tags of our own form", () => {
    expect(readTools('{"tools":[{"name":"search","tags":["read"]}]}')).toMatchObject({
      tools: [{ name: "search", tags: ["read"] }],
    });
  });

  it.each([
    { name: "filesystem", tools: 14 },
    { name: "memory", tools: 9 },
    { name: "github", tools: 26 },
    { name: "playwright", tools: 25 },
  ])("the registry of $name", ({ name, tools }) => {
    const text = readFileSync(new URL(`../cases/registries/${name}.json`, import.meta.url), "utf8");
    expect(namesIn(text)).toHaveLength(tools);
  });

  it("an empty list as a list of none", () => {
    expect(readTools('{"tools":[]}')).toEqual({ kind: "tools", tools: [], notes: [] });
  });

  it("any names in any shape in their order", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        expect(namesIn(JSON.stringify(names))).toEqual(names);
        expect(namesIn(JSON.stringify({ tools: names.map((name) => ({ name, inputSchema: {} })) }))).toEqual(names);
        expect(namesIn(JSON.stringify(names.map((name) => ({ type: "function", function: { name } }))))).toEqual(names);
      }),
    );
  });
});

describe("notes", () => {
  it.each([
    { what: "a provider's own tool", value: [{ type: "web_search" }, { name: "mail" }], note: "web_search" },
    {
      what: "a Gemini tool of the provider",
      value: [{ googleSearch: {} }, { functionDeclarations: [{ name: "mail" }] }],
      note: "googleSearch",
    },
    { what: "a page that is not the last", value: { tools: [{ name: "mail" }], nextCursor: "x" }, note: "nextCursor" },
  ])("$what", ({ value, note }) => {
    expect(readTools(JSON.stringify(value))).toEqual({
      kind: "tools",
      tools: [{ name: "mail", tags: [] }],
      notes: [expect.stringContaining(note)],
    });
  });
});

describe("says what it found instead of", () => {
  it.each([
    { text: "", found: "nothing" },
    { text: '{"tools": [', found: "begins like JSON" },
    { text: "<html>\n<body>404 Not Found</body>", found: "line 2" },
    {
      text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
      found: "Method not found",
    },
    { text: JSON.stringify(initialized), found: '"protocolVersion"' },
    { text: '{"hello": 1}', found: '"hello"' },
    { text: '[{"name": 5}]', found: "element 0" },
    { text: '["search", 5]', found: "a number as element 1" },
    { text: '["search", null]', found: "null as element 1" },
    { text: '"search"', found: "a string" },
    { text: `${JSON.stringify(initialized)}\n${JSON.stringify(initialized)}`, found: "tools/list" },
  ])("$text", ({ text, found }) => {
    expect(readTools(text)).toEqual({ kind: "unreadable", found: expect.stringContaining(found) });
  });

  it("any text, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(["tools", "unreadable"]).toContain(readTools(text).kind);
      }),
    );
  });
});

describe("refuses a conversation, whatever its dialect", () => {
  it.each([
    { name: "a chat", value: [{ role: "user", content: "hi" }] },
    { name: "a chat whose members have names", value: [{ role: "user", name: "bob", content: "hi" }] },
    { name: "a call of a chat", value: [{ id: "1", type: "function", function: { name: "search", arguments: "{}" } }] },
    {
      name: "a call among Responses items",
      value: [{ type: "function_call", name: "search", call_id: "1", arguments: "" }],
    },
    { name: "a result among Responses items", value: [{ type: "function_call_output", call_id: "1", output: "" }] },
    { name: "reasoning", value: [{ type: "reasoning", id: "r", summary: [] }] },
    { name: "an Anthropic call", value: [{ type: "tool_use", id: "1", name: "search", input: {} }] },
    { name: "an Anthropic result", value: [{ type: "tool_result", tool_use_id: "1" }] },
    { name: "Gemini's contents", value: [{ role: "user", parts: [{ text: "hi" }] }] },
    { name: "Gemini's parts", value: [{ functionCall: { name: "search", args: {} } }] },
    { name: "Bedrock's blocks", value: [{ toolUse: { name: "search" } }] },
    { name: "Pydantic AI's history", value: [{ kind: "request", parts: [] }] },
    { name: "LangChain's messages", value: [{ type: "human", data: { content: "hi" } }] },
    { name: "a message behind tools", value: [{ name: "search" }, { role: "user", content: "hi" }] },
  ])("$name", ({ value }) => {
    expect(readTools(JSON.stringify(value))).toEqual({
      kind: "unreadable",
      found: expect.stringMatching(/an object with "\w+"\) as element \d+: this is a conversation/),
    });
  });

  it("of the recorded artifacts", () => {
    for (const path of ["pydantic-ai/turn-complete.json", "pydantic-ai/two-turns-same-call-id.json"]) {
      const text = readFileSync(new URL(`../cases/artifacts/${path}`, import.meta.url), "utf8");
      expect(readTools(text)).toMatchObject({ kind: "unreadable" });
    }
  });
});

it("says a remark once, with how often it was made", () => {
  const search = { type: "web_search" };
  const read = readTools(JSON.stringify([search, { googleSearch: {} }, search, { name: "mail" }, search]));
  expect(read).toMatchObject({
    kind: "tools",
    tools: [{ name: "mail" }],
    notes: [expect.stringMatching(/web_search.*\(3 times\)$/), expect.stringMatching(/googleSearch.*force$/)],
  });
});
