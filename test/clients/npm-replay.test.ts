import { randomBytes } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  createFermata,
  IncompleteReplay,
  jsonOf,
  type ReplayResponse,
  SidecarUnreachable,
} from "../../src/npm/fermata.ts";
import { cuttingProxy } from "./cutting-proxy.ts";
import { type Asked, calling, over, result, sessionOf, tenantOf, user } from "./npm-threads.ts";

describe.each(["grpc", "connect"] as const)("replay by %s", (protocol) => {
  const tenant = tenantOf(protocol, {});

  it.each([
    { row: "no trailer", kept: ({ part }: ReplayResponse) => part.case !== "trailer" },
    { row: "no entries", kept: ({ part }: ReplayResponse) => part.case !== "entries" },
    { row: "no header", kept: ({ part }: ReplayResponse) => part.case !== "header" },
    { row: "nothing", kept: () => false },
  ])("refuses a stream that ends with $row", async ({ kept }) => {
    const { session } = await sessionOf(tenant.fermata, [[user, calling("a")]]);
    const incomplete = async function* (request: Asked) {
      for await (const message of tenant.fermata.conversation.replay(request)) if (kept(message)) yield message;
    };
    await expect(over(tenant.fermata, incomplete).recover(session)).rejects.toBeInstanceOf(IncompleteReplay);
  });

  const large = [
    user,
    ...["a", "b", "c"].flatMap((id) => [
      calling(id),
      { ...result(id), content: randomBytes(900_000).toString("base64") },
    ]),
  ];

  it.each([
    { row: "is reset", ends: "resetAndDestroy", bytes: 1_500_000 },
    { row: "is closed", ends: "end", bytes: 1_500_000 },
    { row: "is reset at its start", ends: "resetAndDestroy", bytes: 0 },
    { row: "is closed at its start", ends: "end", bytes: 0 },
  ] as const)(
    "goes on with a stream whose connection $row, twice",
    async ({ ends, bytes }) => {
      const { session, ids } = await sessionOf(tenant.fermata, [large]);
      const proxy = await cuttingProxy({ address: tenant.sidecar.address, allowed: [bytes, bytes], ends });
      const through = createFermata(proxy.address, { protocol, tenant: "acme" });
      const asked: Asked[] = [];
      try {
        const found = await over(through, (request) => {
          asked.push(request);
          return through.conversation.replay(request);
        }).replay(session);
        expect([...found.reDrive, ...found.evidence].map(jsonOf)).toEqual(large);
        const [first, ...others] = asked.map(({ checkpointId, afterPosition }) => ({
          checkpointId,
          after: afterPosition,
        }));
        expect([first, others.length]).toEqual([{ checkpointId: undefined, after: undefined }, 2]);
        if (bytes === 0) expect(others).toEqual([first, first]);
        else {
          expect(others.map(({ checkpointId }) => checkpointId)).toEqual([ids[0], ids[0]]);
          expect(Number(others[1]?.after)).toBeGreaterThan(Number(others[0]?.after));
        }
      } finally {
        through.close();
        proxy.close();
      }
    },
    20_000,
  );

  it("takes a stream that its caller gave up for no break", async () => {
    const { session } = await sessionOf(tenant.fermata, [large]);
    const abort = new AbortController();
    let streams = 0;
    const ended = await over(tenant.fermata, async function* (request) {
      streams += 1;
      for await (const message of tenant.fermata.conversation.replay(request, { signal: abort.signal })) {
        yield message;
        abort.abort();
      }
    })
      .replay(session)
      .catch((thrown: unknown) => thrown);
    expect(ended).toMatchObject({ name: "ForeignStatus", code: Code.Canceled });
    expect(streams).toBe(1);
  });

  it("gives up a stream that brings nothing any more", async () => {
    const { session } = await sessionOf(tenant.fermata, [large]);
    const proxy = await cuttingProxy({
      address: tenant.sidecar.address,
      allowed: [1_500_000, ...Array(20).fill(0)],
      ends: "end",
    });
    const through = createFermata(proxy.address, { protocol, tenant: "acme" });
    const ended = await through.replay(session).catch((thrown: unknown) => thrown);
    through.close();
    proxy.close();
    expect(ended).toBeInstanceOf(SidecarUnreachable);
  }, 20_000);
});
