import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { checkThread, nothing, together } from "./check-thread.ts";
import { root } from "./checkout.ts";
import { openLanes } from "./lanes.ts";
import { start } from "./sidecar.ts";
import { issueRequest, newThread, type Thread, threadRef } from "./thread.ts";

const folder = temporaryFolder();
const elsewhere = temporaryFolder();
afterAll(() => {
  folder.remove();
  elsewhere.remove();
});

async function fermata(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(join(root, "bin/fermata"), args)).stdout;
}

it("backs up under load; restored, every row verifies and what was acknowledged before is there", async () => {
  const file = join(folder.path, "backup.sqlite");
  const sidecar = await start({ folder: folder.path });
  let acknowledged = 0;
  const lanes = openLanes({ name: "backup", count: 32, onAcknowledged: () => (acknowledged += 1) });
  const writing = lanes.write(sidecar.address);
  await expect.poll(() => acknowledged, { timeout: 30_000 }).toBeGreaterThan(400);

  const before = lanes.threads.map((thread) => thread.acknowledged.length);
  const sofar = acknowledged;
  await fermata("backup", file, "--data-dir", join(folder.path, "data"));
  expect(acknowledged - sofar).toBeGreaterThan(32); // The sidecar went on.
  lanes.halt();
  await writing;
  await sidecar.kill();

  await fermata("restore", file, "--data-dir", join(elsewhere.path, "data"));
  const { damage, checkpoints } = JSON.parse(
    await fermata("verify-store", "--json", "--data-dir", join(elsewhere.path, "data")),
  );
  expect(damage).toEqual([]);

  const restored = await start({ folder: elsewhere.path });
  const client = connect(restored.address, 30_000);
  let finding = nothing;
  for (const [at, thread] of lanes.threads.entries()) {
    const of = { case: "thread" as const, value: threadRef(thread) };
    const listed = await client.unary(ConversationService.method.listCheckpoints, { of, pageSize: 100 });
    const ids = listed.kind === "ok" ? listed.value.checkpoints.map(({ ref }) => ref?.checkpointId ?? "") : [];
    expect(ids).toEqual(thread.acknowledged.slice(0, ids.length));
    expect(ids.length).toBeGreaterThanOrEqual(before[at] ?? 0);
    const copied: Thread = { ...newThread(thread.session), acknowledged: ids };
    finding = together(finding, await checkThread(client, copied));
  }
  expect(finding).toMatchObject({ wrong: [], found: checkpoints });
  expect(checkpoints).toBeGreaterThanOrEqual(sofar);
  const fresh = await client.unary(ConversationService.method.issue, issueRequest(newThread("after-restore"), 1));
  expect(fresh).toMatchObject({ refusal: { leaf: { case: "issuanceFrozen" } } });
  client.close();
  await restored.kill();
});
