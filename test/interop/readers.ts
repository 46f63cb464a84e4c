import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptedStatuses, goldenRefusals, nameOf } from "../golden/golden-status.ts";
import { startGoldenServer, type TestServer } from "../transport/servers.ts";
import { runOk } from "./programs.ts";

/** A reader in another language: it is started with a target, gets names on standard input, and prints a line of JSON for each. */
export interface Reader {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The tests of a reader: it calls the real server for every golden status, and finds in each what statuses.json says, which TypeScript
 * reads too. `build` makes the reader first.
 */
export function testReader(build: () => Promise<Reader>): void {
  let server: TestServer;
  let reader: Reader;

  beforeAll(async () => {
    server = await startGoldenServer(goldenRefusals());
    reader = await build();
  }, 300_000);
  afterAll(() => server.stop());

  it.each([
    { way: "TCP", target: () => server.address },
    { way: "a Unix socket", target: () => `unix:${server.socket}` },
  ])("reads every golden status over $way to the same facts, code, text and metadata", async ({ target }) => {
    const accepted = acceptedStatuses();
    const { program, args, env = {} } = reader;
    const input = JSON.stringify(accepted.map(nameOf));
    const printed = await runOk(program, [...args, target()], { input, env });
    const read = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const expected = accepted.map((entry) => ({
      name: nameOf(entry),
      code: entry.code,
      text: entry.text,
      innerCode: entry.code,
      innerText: entry.text,
      domain: "fermata",
      reason: entry.leaf,
      metadata: entry.metadata,
      facts: entry.facts,
      details: entry.details,
    }));
    expect(read).toEqual(expected);
    expect(read.length).toBeGreaterThan(100);
  });
}
