import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { makeLargeStore } from "../store/large-store.ts";
import { acknowledged, issueOn } from "../store/writes.ts";
import { temporaryFolder } from "../transport/sidecars.ts";

const program = fileURLToPath(new URL("./dying-freeze.ts", import.meta.url));

const open = async (folder: string) =>
  (await openSqlite({ folder, separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now }))
    .store;

it("leaves a hold or none when it is killed at any step, and the same call afterwards sets it", async () => {
  const { path: folder, remove } = temporaryFolder();
  const store = await open(folder);
  for (const session of ["a", "b", "c"]) await acknowledged(store, { session });
  await store.close();
  const file = join(folder, "fermata.sqlite");

  let step = 0;
  let finished = false;
  while (!finished) {
    step += 1;
    const freezeId = `f${step}`;
    const child = spawnSync(process.execPath, [program, file, String(step), freezeId], { encoding: "utf8" });
    finished = child.signal === null;
    expect(child.signal ?? child.status).toBe(finished ? 0 : "SIGKILL");
    const again = await open(folder);
    const held = (await again.holds()).map((hold) => hold.freezeId);
    expect(held).toEqual(finished ? [freezeId] : []); // One transaction: nothing of it is there before its commit.
    const refused = await issueOn(again, { session: `after-${step}` });
    expect(refused.kind).toBe(finished ? "refusal" : "ok");
    const write = { kind: "freeze", freezeId, scope: { kind: "store" }, actor: "op", reason: "r", now: 2 } as const;
    const retried = await again.freeze(write, Number.MAX_SAFE_INTEGER);
    expect(retried).toMatchObject({ value: { state: "frozen", epoch: step, freezeTime: finished ? 1 : 2 } });
    expect(await issueOn(again, { session: "behind" })).toMatchObject({
      leaf: { case: "issuanceFrozen", value: { freezeId } },
    });
    await again.thaw({ kind: "thaw", freezeId, actor: "op", reason: "r", now: 3 }, Number.MAX_SAFE_INTEGER);
    await again.close();
  }
  expect(step).toBeGreaterThan(8);
  expect(verifyFolder(folder)).toMatchObject({ damage: [] });
  remove();
});

const parted = 12_000; // Counted in three transactions.

it("leaves no hold or a closing one, which is a wall, when it is killed at any step of a count in parts", async () => {
  const { path: root, remove } = temporaryFolder();
  const before = join(root, "before");
  await makeLargeStore(before, parted);
  let closing = 0;
  let step = 0;
  let finished = false;
  while (!finished) {
    step += 1;
    const folder = join(root, String(step));
    cpSync(before, folder, { recursive: true });
    const file = join(folder, "fermata.sqlite");
    const child = spawnSync(process.execPath, [program, file, String(step), "f"], { encoding: "utf8" });
    finished = child.signal === null;
    expect(child.signal ?? child.status).toBe(finished ? 0 : "SIGKILL");
    const store = await open(folder);
    const stands = (await store.holds()).length === 1;
    if (stands && !finished) closing += 1;
    expect((await issueOn(store, { session: "after" })).kind).toBe(stands ? "refusal" : "ok");
    const write = {
      kind: "freeze",
      freezeId: "f",
      scope: { kind: "store" },
      actor: "op",
      reason: "r",
      now: 2,
    } as const;
    const retried = await store.freeze(write, Number.MAX_SAFE_INTEGER);
    expect(retried).toMatchObject({ value: { state: "frozen", epoch: 1, freezeTime: finished ? 1 : 2 } });
    const drain = await store.drain({ of: { by: "hold", freezeId: "f" }, terms: "t" });
    expect(drain).toMatchObject({ frozen: true, atFreeze: stands ? parted : parted + 1 });
    await store.close();
    rmSync(folder, { recursive: true });
  }
  expect(closing).toBeGreaterThan(10);
  remove();
}, 180_000);
