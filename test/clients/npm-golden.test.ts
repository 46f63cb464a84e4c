import { toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFermata, FermataError, RefusalSchema } from "../../src/npm/fermata.ts";
import { acceptedStatuses, goldenRefusals, nameOf } from "../golden/golden-status.ts";
import { startGoldenServer, type TestServer } from "../transport/servers.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startGoldenServer(goldenRefusals());
});
afterAll(() => server.stop());

const ways = (["grpc", "connect"] as const).flatMap((protocol) => [
  { protocol, place: "TCP", target: () => server.address },
  { protocol, place: "a Unix socket", target: () => `unix:${server.socket}` },
]);

describe("the client of the npm package", () => {
  it.each(ways)(
    "reads every golden status by $protocol over $place to the same facts",
    async ({ protocol, target }) => {
      const fermata = createFermata(target(), { protocol });
      try {
        // Together: each that is worth a retry waits for its retry.
        const read = await Promise.all(acceptedStatuses().map((entry) => readingOf(fermata, nameOf(entry))));
        const expected = acceptedStatuses().map((entry) => ({
          name: nameOf(entry),
          code: entry.code,
          detail: entry.text,
          reason: entry.leaf,
          remedy: entry.remedy,
          parents: (entry.metadata["parents"] ?? "").split(",").filter((parent) => parent !== ""),
          metadata: entry.metadata,
          facts: entry.facts,
          leaf: camelCase(entry.leaf),
          retryable: entry.remedy === "RETRY_LATER",
          delayed: (entry.metadata["retry_delay"] ?? "") !== "",
        }));
        expect(read).toEqual(expected);
        expect(read.length).toBeGreaterThan(100);
      } finally {
        fermata.close();
      }
    },
    30_000,
  );
});

async function readingOf(fermata: ReturnType<typeof createFermata>, name: string) {
  const thrown = await fermata.palette.resolve({ forcedTool: name }).catch((error: unknown) => error);
  if (!(thrown instanceof FermataError) || thrown.refusal === undefined) throw new Error(`${name}: ${thrown}`);
  const { code, detail, reason, remedy, parents, metadata, refusal, leaf, retryable, retryDelay } = thrown;
  const told = { name, code, detail, reason, remedy, parents, metadata, retryable };
  return { ...told, facts: toJson(RefusalSchema, refusal), leaf: leaf.case, delayed: retryDelay !== undefined };
}

function camelCase(reason: string): string {
  return reason.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
