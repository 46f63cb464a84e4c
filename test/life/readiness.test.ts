import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { connect, type SidecarClient } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../src/gen/health/v1/health_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { buildShim } from "../trial/disk-shim.ts";
import { onADisk } from "../trial/on-a-disk.ts";
import { type Started, start } from "../trial/sidecar.ts";
import { issueRequest, newThread, threadRef } from "../trial/thread.ts";

const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;
const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

onADisk("a disk that fails while the sidecar serves", () => {
  it.each(["ENOSPC", "EROFS", "EIO"] as const)(
    "by %s takes the conversations' health down, and gives it back",
    async (fault) => {
      const shim = buildShim();
      endings.push(() => shim.remove());
      const folder = temporaryFolder();
      endings.push(() => folder.remove());
      const client = await serving({ folder: folder.path, env: shim.env(0) });
      await goesAndComesBack(client, { break: () => shim.failing(fault), mend: () => shim.failing("nothing") });
    },
  );
});

describe.skipIf(!canMount())("a full data folder (needs the right to mount)", () => {
  it("takes the conversations' health down while less is free than the reserve, and gives it back", async () => {
    const { path, mount } = tmpfs("64m");
    const client = await serving({ folder: path, env: { FERMATA_LIMITS_DISK_RESERVE_BYTES: "32MiB" } });
    await goesAndComesBack(client, { break: () => mount("remount,size=16m"), mend: () => mount("remount,size=64m") });
  });
});

interface Disk {
  readonly break: () => void;
  readonly mend: () => void;
}

/** What the design says: the conversations' own entry goes; the whole sidecar stays ready, since its palette serves; what is stored is read. */
async function goesAndComesBack(client: SidecarClient, disk: Disk): Promise<void> {
  const thread = newThread("a");
  expect(await issueNext(client, "a")).toBe("ok");
  expect(await health(client)).toEqual([SERVING, SERVING]);
  for (const round of [1, 2]) {
    disk.break();
    expect(await issueNext(client, `b${round}`)).toBe("storeUnavailable");
    expect(await health(client)).toEqual([SERVING, NOT_SERVING]);
    expect((await client.unary(ConversationService.method.resume, { thread: threadRef(thread) })).kind).toBe("ok");
    await new Promise((resume) => setTimeout(resume, 2_500)); // two proofs that fail
    expect(await health(client)).toEqual([SERVING, NOT_SERVING]);
    disk.mend();
    await expect.poll(() => health(client), { timeout: 8_000 }).toEqual([SERVING, SERVING]);
    expect(await issueNext(client, `c${round}`)).toBe("ok");
  }
}

async function issueNext(client: SidecarClient, session: string): Promise<string | undefined> {
  const answer = await client.unary(ConversationService.method.issue, issueRequest(newThread(session), 1));
  return answer.kind === "ok" ? "ok" : answer.refusal?.leaf.case;
}

async function health(client: SidecarClient): Promise<readonly unknown[]> {
  const of = async (service: string) => {
    const answer = await client.unary(Health.method.check, { service });
    return answer.kind === "ok" ? answer.value.status : answer.code;
  };
  return [await of(""), await of(ConversationService.typeName)];
}

async function serving(setting: Parameters<typeof start>[0]): Promise<SidecarClient> {
  const sidecar: Started = await start(setting);
  const client = connect(sidecar.address, 10_000);
  endings.push(async () => {
    client.close();
    await sidecar.kill();
  });
  return client;
}

function tmpfs(size: string): { readonly path: string; readonly mount: (options: string) => void } {
  const folder = temporaryFolder();
  const path = join(folder.path, "disk");
  mkdirSync(path);
  const run = (...flags: readonly string[]): void => {
    const { status, stderr } = spawnSync("mount", [...flags, path], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  run("-t", "tmpfs", "-o", `size=${size}`, "none");
  endings.push(() => {
    spawnSync("umount", ["--lazy", path]);
    folder.remove();
  });
  return { path, mount: (options) => run("-o", options) };
}

function canMount(): boolean {
  const folder = temporaryFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "none", folder.path]).status === 0;
  if (mounted) spawnSync("umount", [folder.path]);
  folder.remove();
  return mounted;
}
