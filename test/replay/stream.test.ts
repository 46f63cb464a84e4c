import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type SidecarClient } from "../../src/client.ts";
import {
  type ReplayRequest,
  ReplayRequestSchema,
  type ReplayResponse,
  ReplayResponseSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { ReplayZone } from "../../src/gen/fermata/conversation/v1/transcript_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { digestOf, hexOf, historyOf, issued, replayOf, threadOf } from "./replayed.ts";

const entries = 2_000;
const mebibyte = 1024 * 1024;

describe("a replay whose reader is slow or broken", () => {
  const folder = temporaryFolder();
  let sidecar: ChildProcess;
  let address: string;
  let client: SidecarClient;

  beforeAll(async () => {
    const settings = { listen: ["127.0.0.1:0"], adminListen: "none", dataDir: `${folder.path}/data` };
    const script = fileURLToPath(new URL("./measured-sidecar.ts", import.meta.url));
    sidecar = fork(script, [JSON.stringify(settings)], { execArgv: ["--expose-gc"] });
    [{ address }] = await once(sidecar, "message");
    client = connect(address, 60_000);
    await issued(client, "small", historyOf(entries, 1_024));
    await issued(client, "large", historyOf(entries, 3_900));
  }, 60_000);
  afterAll(() => {
    client.close();
    sidecar.disconnect();
    folder.remove();
  });

  const held = async (): Promise<number> => {
    sidecar.send("held");
    const [answer] = await once(sidecar, "message");
    return answer.held;
  };

  it.each([
    { session: "small", bytes: "2 MB" },
    { session: "large", bytes: "7.8 MB" },
  ])(
    "holds at most 4 MiB of $bytes while its reader stops for 5 s, and goes on",
    { timeout: 60_000 },
    async ({ session }) => {
      await replayOf(client, session); // what is loaded once is not held by a replay
      await held();
      const before = await held();
      const stream = stalledStream(address, create(ReplayRequestSchema, { thread: threadOf(session) }));
      await once(stream, "response");
      const peaks: number[] = [];
      for (let second = 0; second < 5; second += 1) {
        await setTimeout(1_000);
        peaks.push((await held()) - before);
      }
      expect(Math.max(...peaks) / mebibyte).toBeLessThanOrEqual(4);
      const messages = messagesOf(Buffer.concat(await stream.toArray()));
      const last = messages.at(-1)?.part;
      expect(last?.case === "trailer" && last.value.entries).toBe(BigInt(entries));
      stream.session?.close();
    },
  );

  it("gives each entry as its host wrote it, in messages of at most 1 MiB, with the same digest each time", async () => {
    const text = historyOf(entries, 3_900);
    const first = await replayOf(client, "large");
    const again = await replayOf(client, "large");
    expect(`[${first.entries.map(({ entry }) => Buffer.from(entry?.content ?? []).toString()).join(" ,\n")}]`).toBe(
      text,
    );
    expect(first.entries.map(({ entry }) => Number(entry?.position))).toEqual([...Array(entries).keys()]);
    expect(first.messages).toBe(2 + Math.ceil(text.length / mebibyte));
    expect(hexOf(first.trailer?.digest)).toBe(digestOf(first.entries));
    expect([again.header?.replayId, hexOf(again.trailer?.digest)]).toEqual([
      first.header?.replayId,
      hexOf(first.trailer?.digest),
    ]);
  });

  it("goes on after any message that it broke at, and tells the same digest of the whole", async () => {
    const whole = await replayOf(client, "large");
    for (const messages of [1, 2, 4, 8]) {
      const begun = await replayOf(client, "large", { messages });
      const last = begun.entries.at(-1)?.entry?.position;
      const rest = await replayOf(client, "large", last === undefined ? {} : { afterPosition: last });
      expect(rest.header).toEqual(whole.header);
      expect(rest.trailer).toEqual(whole.trailer);
      expect(digestOf([...begun.entries, ...rest.entries])).toBe(hexOf(whole.trailer?.digest));
    }
  });

  it("has nothing after its last entry but the header and the trailer", async () => {
    for (const afterPosition of [BigInt(entries - 1), BigInt(entries), 2n ** 63n]) {
      const { header, entries: found, trailer, messages } = await replayOf(client, "small", { afterPosition });
      expect([found.length, messages, header?.prefixEntries, trailer?.entries]).toEqual([0, 2, 2_000n, 2_000n]);
    }
  });

  it("sends an entry that is larger than a message alone", async () => {
    const long = (role: string) => ({ role, content: "x".repeat(1.5 * mebibyte) });
    const turns = [
      { role: "user", content: "a" },
      long("assistant"),
      { role: "user", content: "b" },
      long("assistant"),
    ];
    await issued(client, "giants", JSON.stringify(turns));
    const replay = await replayOf(client, "giants");
    expect(replay.messages).toBe(6);
    expect(replay.entries.map(({ zone }) => zone)).toEqual(Array(4).fill(ReplayZone.PREFIX));
  });
});

/** A call of Replay that nobody reads: HTTP/2's own flow control stops it. A gRPC client would read ahead. */
function stalledStream(address: string, request: ReplayRequest): ClientHttp2Stream {
  const stream = connectHttp2(`http://${address}`).request({
    ":method": "POST",
    ":path": "/fermata.conversation.v1.ConversationService/Replay",
    "content-type": "application/grpc+proto",
    te: "trailers",
  });
  const message = toBinary(ReplayRequestSchema, request);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
  return stream;
}

/** The messages of a gRPC body: each has five bytes in front, of which four are its length. */
function messagesOf(body: Buffer): readonly ReplayResponse[] {
  const found: ReplayResponse[] = [];
  for (let at = 0; at < body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    found.push(fromBinary(ReplayResponseSchema, body.subarray(at + 5, end)));
    at = end;
  }
  return found;
}
