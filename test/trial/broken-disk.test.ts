import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { buildShim, type DiskShim } from "./disk-shim.ts";
import { acknowledgedOf, begunOf, type Lanes, openLanes } from "./lanes.ts";
import { onADisk } from "./on-a-disk.ts";
import { type Started, start } from "./sidecar.ts";
import { issueRequest, newThread, threadRef } from "./thread.ts";

type Fault = "ENOSPC" | "EIO";

onADisk("a disk that fails under load", () => {
  const folder = temporaryFolder();
  let shim: DiskShim;
  let sidecar: Started;
  let lanes: Lanes;
  let onAcknowledged: () => void = () => undefined;
  let runs = 0;

  beforeEach(async () => {
    shim = buildShim();
    runs += 1;
    sidecar = await start({ folder: folder.path, env: shim.env(0) });
    lanes = openLanes({ name: `disk${runs}`, count: 16, onAcknowledged: () => onAcknowledged() });
  });
  afterEach(async () => {
    await sidecar.kill();
    shim.remove();
  });

  /** Writes until so many more are acknowledged, then does this; answers what stopped the lanes. */
  function writeThen(count: number, step: () => void): Promise<readonly string[]> {
    const until = acknowledgedOf(lanes) + count;
    onAcknowledged = () => {
      if (acknowledgedOf(lanes) === until) step();
    };
    return lanes.write(sidecar.address);
  }

  async function goOn(next: "the same process" | "a kill"): Promise<void> {
    shim.failing("nothing");
    if (next === "the same process") return;
    await sidecar.kill();
    sidecar = await start({ folder: folder.path, env: shim.env(0) });
  }

  async function expectWholeStore(): Promise<void> {
    await sidecar.kill();
    sidecar = await start({ folder: folder.path });
    expect((await lanes.check(sidecar.address)).wrong).toEqual([]);
    expect(await lanes.audit(sidecar.address)).toEqual([]);
    expect(verifyFolder(join(folder.path, "data")).damage).toEqual([]);
  }

  it.each([
    { fault: "ENOSPC", fields: "full", next: "the same process" },
    { fault: "ENOSPC", fields: "full", next: "a kill" },
    { fault: "EIO", fields: "io", next: "the same process" },
    { fault: "EIO", fields: "io", next: "a kill" },
  ] as const)(
    "by $fault is STORE_UNAVAILABLE, and after $next no answer is contradicted",
    async ({ fault, fields, next }) => {
      const stopped = await writeThen(100, () => shim.failing(fault));
      expect(new Set(stopped)).toEqual(new Set(["storeUnavailable"]));

      const client = connect(sidecar.address, 10_000);
      const one = lanes.threads.find(({ acknowledged }) => acknowledged.length > 0) ?? newThread("none");
      const read = await client.unary(ConversationService.method.getCheckpoint, { thread: threadRef(one) });
      expect(read.kind).toBe("ok");
      const refused = await client.unary(
        ConversationService.method.issue,
        issueRequest(newThread(`while-${fault}-${runs}`), 1),
      );
      expect(refused).toMatchObject({ refusal: { leaf: { case: "storeUnavailable", value: { fault: fields } } } });
      client.close();

      await goOn(next);
      expect((await lanes.check(sidecar.address)).wrong).toEqual([]);
      expect(new Set(await writeThen(100, () => lanes.halt()))).toEqual(new Set(["halted"]));
      await expectWholeStore();
    },
  );

  it("at random moments, again and again, loses nothing and leaves no row that nobody asked for", async () => {
    const before = verifyFolder(join(folder.path, "data"));
    for (let round = 0; round < 8; round += 1) {
      const fault: Fault = Math.random() < 0.5 ? "ENOSPC" : "EIO";
      const stopped = await writeThen(1 + Math.floor(Math.random() * 60), () => shim.failing(fault));
      expect(new Set(stopped)).toEqual(new Set(["storeUnavailable"]));
      await goOn(Math.random() < 0.4 ? "a kill" : "the same process");
      expect((await lanes.check(sidecar.address)).wrong).toEqual([]);
    }
    await expectWholeStore();
    const after = verifyFolder(join(folder.path, "data"));
    expect(after.checkpoints - before.checkpoints).toBe(acknowledgedOf(lanes));
    expect(after.threads - before.threads).toBe(begunOf(lanes));
  });

  it("keeps its reserve: below it nothing is issued, and everything can be read", async () => {
    await writeThen(20, () => lanes.halt());
    await sidecar.stop();
    sidecar = await start({ folder: folder.path, env: { FERMATA_LIMITS_DISK_RESERVE_BYTES: "1024GiB" } });
    const client = connect(sidecar.address, 10_000);
    const refused = await client.unary(ConversationService.method.issue, issueRequest(newThread("reserve"), 1));
    expect(refused).toMatchObject({ refusal: { leaf: { case: "storeUnavailable", value: { fault: "full" } } } });
    const one = lanes.threads.find(({ acknowledged }) => acknowledged.length > 0) ?? newThread("none");
    const read = await client.unary(ConversationService.method.resume, { thread: threadRef(one) });
    expect(read).toMatchObject({
      kind: "ok",
      value: { checkpoint: { ref: { checkpointId: one.acknowledged.at(-1) } } },
    });
    client.close();
  });
});
