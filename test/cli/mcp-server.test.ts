import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { fermata, inRoot } from "./fermata.ts";

/** Starts a public MCP server package, speaks its protocol and gives back each line that it wrote. */
async function askServer(): Promise<readonly string[]> {
  const memory = join(mkdtempSync(join(tmpdir(), "fermata-mcp-")), "memory.jsonl");
  const server = spawn(process.execPath, [inRoot("node_modules/.bin/mcp-server-memory")], {
    env: { ...process.env, MEMORY_FILE_PATH: memory },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const say = (sent: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...sent })}\n`);
  const client = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "fermata-test", version: "1" },
  };
  say({ id: 0, method: "initialize", params: client });
  const initialized = String((await lines.next()).value);
  say({ method: "notifications/initialized" });
  say({ id: 1, method: "tools/list" });
  const listed = String((await lines.next()).value);
  const gone = once(server, "exit");
  server.kill();
  await gone;
  return [initialized, listed];
}

it("the tools/list answer of a real MCP server goes straight in, alone or with all that the server wrote", async () => {
  const [initialized, listed] = await askServer();
  for (const stdin of [`${listed}`, `${initialized}\n${listed}\n`]) {
    const { code, stdout } = await fermata(["resolve", "--tools", "-", "--skill", "search_nodes", "--json"], { stdin });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ palette: { explicit: { names: ["search_nodes"] } } });
  }
});
