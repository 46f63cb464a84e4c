import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { backUp } from "../../src/store/sqlite/backup.ts";
import { restore } from "../../src/store/sqlite/restore.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { verifyFolder } from "../../src/store/sqlite/verify.ts";
import { acknowledged, identity, issueOn, turn } from "./writes.ts";

const root = mkdtempSync(join(tmpdir(), "fermata-backup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open = async (folder: string) =>
  (await openSqlite({ folder, separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now }))
    .store;

describe("a backup", () => {
  it("is taken under load, and every row that was acknowledged before it began comes back and verifies", async () => {
    const [from, to, file] = [join(root, "from"), join(root, "to"), join(root, "backup.sqlite")];
    const store = await open(from);
    let stop = false;
    const acknowledgedIds: { session: string; id: string }[] = [];
    const writer = async (name: number) => {
      for (let count = 0; !stop; count += 1) {
        const session = `w${name}-${count}`;
        acknowledgedIds.push({
          session,
          id: await acknowledged(store, { session, content: turn(session.repeat(200)) }),
        });
      }
    };
    const writers = Array.from({ length: 8 }, (_, name) => writer(name));
    while (acknowledgedIds.length < 200) await new Promise(setImmediate);
    const before = [...acknowledgedIds];
    backUp(from, file);
    const after = acknowledgedIds.length;
    while (acknowledgedIds.length < after + 200) await new Promise(setImmediate);
    stop = true;
    await Promise.all(writers);

    const { freezeId, verification } = restore(file, to, 1_700_000_000_000);
    expect(verification).toMatchObject({ storeId: store.storeId, damage: [] });
    expect(verification.checkpoints).toBeGreaterThanOrEqual(before.length);
    expect(verification.payloads).toBe(verification.checkpoints);
    expect(verifyFolder(from)).toMatchObject({ damage: [], checkpoints: acknowledgedIds.length });
    expect(verifyFolder(from).incarnation).not.toBe(verification.incarnation);
    await store.close();

    const restored = await open(to);
    for (const { session, id } of before) {
      const found = await restored.find({ thread: identity("acme", session), checkpointId: undefined, accepted: [] });
      expect(found).toMatchObject({ kind: "checkpoint", checkpoint: { header: { checkpointId: id } } });
      expect(found.kind === "checkpoint" && Buffer.from(found.payload ?? []).toString()).toBe(
        turn(session.repeat(200)),
      );
    }
    const first = before[0];
    expect(await issueOn(restored, { session: "new" })).toMatchObject({
      leaf: { case: "issuanceFrozen", value: { freezeId, scope: "store", epoch: 1n } },
    });
    const retry = await issueOn(restored, {
      session: first?.session ?? "",
      content: turn((first?.session ?? "").repeat(200)),
    });
    expect(retry).toMatchObject({ kind: "ok", value: { repeated: true } });
    await restored.close();
  });

  it("is refused where it would overwrite something", async () => {
    const [folder, file] = [join(root, "one"), join(root, "one.sqlite")];
    const store = await open(folder);
    await acknowledged(store);
    backUp(folder, file);
    expect(() => backUp(folder, file)).toThrow(expect.objectContaining({ fault: "io" }));
    expect(() => restore(file, folder, 0)).toThrow(expect.objectContaining({ fault: "io" }));
    expect(() => backUp(join(root, "none"), join(root, "none.sqlite"))).toThrow(
      expect.objectContaining({ fault: "io" }),
    );
    await store.close();
  });

  it("that is damaged is not restored, and leaves the folder empty", async () => {
    const [folder, file, to] = [join(root, "two"), join(root, "two.sqlite"), join(root, "two-restored")];
    const store = await open(folder);
    await acknowledged(store);
    await store.close();
    backUp(folder, file);
    const db = new DatabaseSync(file);
    db.exec("UPDATE chunk SET bytes = x'00'");
    db.close();
    expect(() => restore(file, to, 0)).toThrow(expect.objectContaining({ fault: "corrupt" }));
    const fresh = await open(to);
    expect(fresh.storeId).not.toBe(store.storeId);
    await fresh.close();
  });
});

describe("the rights of the files", () => {
  it("are the owner's only: of a store, also one that was made with more, of its backup and of what is restored from it", async () => {
    const [from, to, file] = [join(root, "rights"), join(root, "rights-restored"), join(root, "rights.sqlite")];
    const others = (folder: string) =>
      readdirSync(folder).filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
    const store = await open(from);
    await acknowledged(store, { session: "s1", content: turn("s1") });
    expect(readdirSync(from)).toEqual(expect.arrayContaining(["fermata.sqlite", "fermata.sqlite-wal"]));
    expect(others(from)).toEqual([]);
    backUp(from, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await store.close();

    chmodSync(file, 0o644);
    restore(file, to, 1_700_000_000_000);
    expect(others(to)).toEqual([]);
    chmodSync(join(from, "fermata.sqlite"), 0o644);
    const again = await open(from);
    expect(others(from)).toEqual([]);
    await again.close();
  });
});

describe("a verification", () => {
  it("names each checkpoint whose envelope, payload or place is damaged, and the high-water mark", async () => {
    const folder = join(root, "verified");
    const store = await open(folder);
    const ids: string[] = [];
    for (const session of ["a", "b", "c", "d"])
      ids.push(await acknowledged(store, { session, content: turn(session) }));
    await store.close();
    expect(verifyFolder(folder)).toMatchObject({
      threads: 4,
      checkpoints: 4,
      damage: [],
      highWater: { checkpointId: ids[3] },
    });
    const db = new DatabaseSync(join(folder, "fermata.sqlite"));
    db.exec("UPDATE checkpoint SET format = 'openai-chat/2' WHERE thread_id = 1");
    db.exec("UPDATE chunk SET bytes = x'00' WHERE thread_id = 2");
    db.exec("UPDATE thread SET head_sequence = 9 WHERE id = 3");
    db.close();
    expect(verifyFolder(folder).damage.map(({ kind, checkpointId }) => [kind, checkpointId])).toEqual([
      ["head", ids[2]],
      ["envelope", ids[0]],
      ["payload", ids[1]],
    ]);
  });
});
