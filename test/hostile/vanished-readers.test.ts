import { connect as connectSocket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "../../src/client.ts";
import {
  ConversationService,
  ReplayRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { cuttingProxy } from "../clients/cutting-proxy.ts";
import { historyOf, issued, replayOf, threadOf } from "../replay/replayed.ts";
import { TestSidecar } from "../transport/sidecars.ts";

const slots = 2;
const request = create(ReplayRequestSchema, { thread: threadOf("large") });

const plain = { acceptCompression: [] }; // Compressed, all of it would be through before the cut.
const transports: readonly (readonly [string, (baseUrl: string) => Transport])[] = [
  ["gRPC", (baseUrl) => createGrpcTransport({ ...plain, baseUrl })],
  ["gRPC-Web over HTTP/1.1", (baseUrl) => createGrpcWebTransport({ ...plain, baseUrl, httpVersion: "1.1" })],
  ["gRPC-Web over HTTP/2", (baseUrl) => createGrpcWebTransport({ ...plain, baseUrl, httpVersion: "2" })],
  ["Connect JSON over HTTP/1.1", (baseUrl) => createConnectTransport({ ...plain, baseUrl, httpVersion: "1.1" })],
  [
    "Connect over HTTP/2",
    (baseUrl) => createConnectTransport({ ...plain, baseUrl, httpVersion: "2", useBinaryFormat: true }),
  ],
];

describe("a replay whose reader vanishes", () => {
  const sidecar = new TestSidecar({ limits: { replaysInFlight: slots } });
  beforeAll(async () => {
    await sidecar.start();
    const client = connect(sidecar.address, 60_000);
    await issued(client, "large", historyOf(2_000, 3_900));
    client.close();
  });
  afterAll(() => sidecar.end());

  /** An ordinary replay gets a slot, soon. */
  const isFree = async (): Promise<boolean> => {
    const client = connect(sidecar.address, 10_000);
    try {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const whole = await replayOf(client, "large").catch(() => undefined);
        if (whole !== undefined) return true;
        await setTimeout(100);
      }
      return false;
    } finally {
      client.close();
    }
  };

  it.each(transports)(
    "gives its slot back when its connection breaks in the middle, and says nothing of it: %s",
    async (_name, transport) => {
      const said = vi.spyOn(console, "error");
      for (const ends of ["end", "resetAndDestroy"] as const) {
        const proxy = await cuttingProxy({ address: sidecar.address, allowed: Array(slots + 1).fill(500_000), ends });
        for (let at = 0; at <= slots; at += 1) {
          const client = createClient(ConversationService, transport(`http://${proxy.address}`));
          await expect(readAll(client.replay(request, { timeoutMs: 10_000 }))).rejects.toThrow();
        }
        proxy.close();
        expect(await isFree(), ends).toBe(true);
      }
      expect(said).not.toHaveBeenCalled();
    },
  );

  it("gives its slot back at its deadline when it reads nothing, over HTTP/1.1", async () => {
    const silent = Array.from({ length: slots }, () => silentReader(sidecar.address));
    await setTimeout(1_500);
    expect(await isFree()).toBe(true);
    for (const socket of silent) socket.destroy();
  });
});

async function readAll(messages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of messages);
}

/** Asks for the replay with a deadline of a second by Connect, and takes nothing of it. */
function silentReader(address: string) {
  const [host, port] = address.split(":");
  const body = Buffer.from(JSON.stringify({ thread: { identity: threadOf("large").by.value } }));
  const length = Buffer.alloc(5);
  length.writeUInt32BE(body.length, 1);
  const socket = connectSocket(Number(port), host);
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(
    [
      "POST /fermata.conversation.v1.ConversationService/Replay HTTP/1.1",
      `Host: ${address}`,
      "Content-Type: application/connect+json",
      "Connect-Timeout-Ms: 1000",
      `Content-Length: ${length.length + body.length}`,
      "\r\n",
    ].join("\r\n"),
  );
  socket.write(Buffer.concat([length, body]));
  return socket;
}
