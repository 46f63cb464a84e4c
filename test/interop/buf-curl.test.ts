import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptedStatuses, type GoldenStatus, goldenRefusals, nameOf } from "../golden/golden-status.ts";
import { startGoldenServer, type TestServer } from "../transport/servers.ts";
import { run } from "./programs.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startGoldenServer(goldenRefusals());
});
afterAll(() => server.stop());

const path = "fermata.palette.v1.PaletteService/Resolve";
const protocols = ["grpc", "grpcweb", "connect"];

/** Where the schema comes from: from the server, or from the files. */
const schemas = [
  { schema: "reflection", schemaFlags: [] },
  { schema: "--schema proto", schemaFlags: ["--schema", "proto"] },
];

const places = [
  { place: "TCP", target: (to: TestServer) => [`http://${to.address}/${path}`] },
  { place: "a Unix socket", target: (to: TestServer) => ["--unix-socket", to.socket, `http://localhost/${path}`] },
];

const ways = protocols.flatMap((protocol) =>
  schemas.flatMap((schema) => places.map((place) => ({ protocol, ...schema, ...place }))),
);

describe("buf curl", () => {
  it.each(ways)("ends with 8 x the code of every leaf by $protocol, $schema, over $place", async (way) => {
    const { protocol, schemaFlags, target } = way;
    const leaves = onePerLeafAndCode();
    const flags = ["curl", "--protocol", protocol, ...http2For(protocol, schemaFlags), ...schemaFlags];
    const ended = await inPairs(leaves, async (entry) => {
      const { code, stderr } = await run("buf", [...flags, "--data", requestOf(entry), ...target(server)]);
      return { name: nameOf(entry), exit: code, text: messageOf(stderr) };
    });
    expect(ended).toEqual(leaves.map((entry) => ({ name: nameOf(entry), exit: 8 * entry.code, text: entry.text })));
  });

  it("gets a plain answer, too, with nothing but the address", async () => {
    const { code, stderr } = await run("buf", ["curl", `http://${server.address}/${path}`, "--data", "{}"]);
    expect([code, messageOf(stderr)]).toEqual([8 * 5, messageOfLeaf("REGISTRY_UNKNOWN")]);
  });
});

/** A plain status of each leaf, and of each other code that a cause gives it. */
function onePerLeafAndCode(): readonly GoldenStatus[] {
  const plain = acceptedStatuses().filter(({ variant }) => variant === "plain");
  const first = new Map(plain.toReversed().map((entry) => [`${entry.leaf} ${entry.code}`, entry]));
  return [...first.values()];
}

/** gRPC without TLS needs HTTP/2 from the first byte, and so does reflection; the other two are called by HTTP/1.1 where they can be. */
function http2For(protocol: string, schemaFlags: readonly string[]): readonly string[] {
  return protocol === "grpc" || schemaFlags.length === 0 ? ["--http2-prior-knowledge"] : [];
}

function requestOf(entry: GoldenStatus): string {
  return JSON.stringify({ forcedTool: nameOf(entry) });
}

function messageOf(printed: string): unknown {
  try {
    return JSON.parse(printed).message;
  } catch {
    return printed; // what it says when it met no status
  }
}

function messageOfLeaf(leaf: string): string | undefined {
  return acceptedStatuses().find((entry) => entry.leaf === leaf)?.text;
}

/** Two at a time: a machine with two cores gains nothing from more. */
async function inPairs<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += 2) {
    results.push(...(await Promise.all(items.slice(start, start + 2).map(each))));
  }
  return results;
}
