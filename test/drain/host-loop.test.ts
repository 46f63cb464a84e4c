import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { connect, type SidecarClient } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { start } from "../trial/sidecar.ts";
import { documentOf } from "./player.ts";

const threads = 1_000;
const script = fileURLToPath(new URL("./host-loop.ts", import.meta.url));
const { issue, freeze, getDrain } = ConversationService.method;

it("drains a thousand threads with a loop of forty lines that is killed twice", async () => {
  expect(readFileSync(script, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  const { path: folder, remove } = temporaryFolder();
  const sidecar = await start({ folder });
  const client = connect(sidecar.address, 30_000);
  await Promise.all(Array.from({ length: 50 }, (_, lane) => issueLane(client, lane)));
  const scope = { scope: { case: "format" as const, value: "openai-chat/1" } };
  await client.unary(freeze, { freezeId: "retire", scope, actor: "op", reason: "the format ends" });

  for (const pages of [3, 6]) {
    const host = fork(script, [sidecar.address, "retire"]);
    let seen = 0;
    while (seen < pages) {
      await once(host, "message");
      seen += 1;
    }
    host.kill("SIGKILL");
    await once(host, "exit");
    expect(await drained(client)).toMatchObject({ atFixedPoint: false, atFreeze: BigInt(threads) });
  }
  const host = fork(script, [sidecar.address, "retire"]);
  expect(await once(host, "exit")).toEqual([0, null]);
  expect(await drained(client)).toMatchObject({
    atFixedPoint: true,
    atFreeze: BigInt(threads),
    adoptedSince: 0n,
    drained: BigInt(threads),
    remaining: 0n,
    blockers: [],
  });
  client.close();
  await sidecar.kill();
  remove();
});

async function issueLane(client: SidecarClient, lane: number): Promise<void> {
  for (let count = 0; count < threads / 50; count += 1) {
    const key = { case: "identity" as const, value: { tenantId: "acme", sessionId: `${lane}-${count}` } };
    const answer = await client.unary(issue, { key, document: documentOf("openai-chat/1", `${lane} ${count}`) });
    if (answer.kind === "ended") throw new Error(answer.text);
  }
}

async function drained(client: SidecarClient) {
  const answer = await client.unary(getDrain, { of: { case: "freezeId", value: "retire" } });
  if (answer.kind === "ended") throw new Error(answer.text);
  return answer.value.drain;
}
