import { chmodSync, existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { grpcCaller } from "../transport/callers.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { SidecarProcess } from "./sidecar-process.ts";

const noAdmin = ["--admin-listen", "none"];
const started: SidecarProcess[] = [];
const folders: { remove(): void }[] = [];

afterEach(async () => {
  for (const sidecar of started.splice(0)) await sidecar.kill();
  for (const folder of folders.splice(0)) folder.remove();
});

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

function start(...flags: readonly string[]): SidecarProcess {
  const sidecar = new SidecarProcess(flags);
  started.push(sidecar);
  return sidecar;
}

describe("an address that cannot be had ends the start with 71", () => {
  it.each(["--listen", "--admin-listen"])("a taken port of %s, by its name", async (flag) => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen({ host: "127.0.0.1", port: 0 }, done));
    const { port } = taken.address() as AddressInfo; // listening on TCP
    const other = flag === "--listen" ? noAdmin : ["--listen", "127.0.0.1:0"];
    const sidecar = start(flag, `127.0.0.1:${port}`, ...other);
    expect(await sidecar.ended).toBe(71);
    expect(sidecar.errors).toContain(`127.0.0.1:${port}`);
    expect(sidecar.errors).toContain(flag);
    await new Promise((done) => taken.close(done));
  });

  it("a socket that another sidecar serves, which goes on", async () => {
    const socket = join(newFolder(), "data.sock");
    const first = start("--listen", `unix:${socket}`, ...noAdmin);
    await first.line("serving");
    const second = start("--listen", `unix:${socket}`, ...noAdmin);
    expect(await second.ended).toBe(71);
    expect(second.errors).toContain(socket);
    await expectAnswer(`unix:${socket}`);
  });

  it.each([
    ["a file", (path: string) => writeFileSync(path, "precious")],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a link to nothing", (path: string) => symlinkSync("nowhere", path)],
  ])("%s that is no socket, which stays", async (_name, make) => {
    const path = join(newFolder(), "data.sock");
    make(path);
    const sidecar = start("--listen", `unix:${path}`, ...noAdmin);
    expect(await sidecar.ended).toBe(71);
    expect(sidecar.errors).toContain(path);
    expect(lstatSync(path).isSocket()).toBe(false);
  });

  it("a socket in a folder that is not there", async () => {
    const path = join(newFolder(), "no", "data.sock");
    const sidecar = start("--listen", `unix:${path}`, ...noAdmin);
    expect(await sidecar.ended).toBe(71);
    expect(sidecar.errors).toContain(path);
  });

  it("leaves nothing behind of the listeners that it had", async () => {
    const folder = newFolder();
    const good = join(folder, "good.sock");
    const sidecar = start("--listen", `unix:${good}`, "--listen", `unix:${join(folder, "no", "x")}`, ...noAdmin);
    expect(await sidecar.ended).toBe(71);
    const again = start("--listen", `unix:${good}`, ...noAdmin);
    await again.line("serving");
    await expectAnswer(`unix:${good}`);
  });
});

describe("a socket file", () => {
  it("is for the owner and the group only, whatever the umask", async () => {
    const socket = join(newFolder(), "data.sock");
    await start("--listen", `unix:${socket}`, ...noAdmin).line("serving");
    const { mode } = statSync(socket);
    expect((mode & 0o777).toString(8)).toBe("660");
  });

  it("that a kill left behind is replaced by the next start", async () => {
    const socket = join(newFolder(), "data.sock");
    const first = start("--listen", `unix:${socket}`, ...noAdmin);
    await first.line("serving");
    first.signal("SIGKILL");
    expect(await first.ended).toBe("SIGKILL");
    expect(existsSync(socket)).toBe(true);
    const second = start("--listen", `unix:${socket}`, ...noAdmin);
    await second.line("serving");
    await expectAnswer(`unix:${socket}`);
    expect((statSync(socket).mode & 0o777).toString(8)).toBe("660");
    second.signal("SIGTERM");
    expect(await second.ended).toBe(0);
    expect(existsSync(socket)).toBe(false);
  });

  it("that was made with another mode is no obstacle", async () => {
    const socket = join(newFolder(), "data.sock");
    const first = start("--listen", `unix:${socket}`, ...noAdmin);
    await first.line("serving");
    chmodSync(socket, 0o600);
    first.signal("SIGKILL");
    await first.ended;
    await start("--listen", `unix:${socket}`, ...noAdmin).line("serving");
    await expectAnswer(`unix:${socket}`);
  });
});

async function expectAnswer(address: string): Promise<void> {
  const caller = grpcCaller(address);
  expect(await caller.call(PaletteService.method.resolve, { registry: {} })).toMatchObject({ kind: "ok" });
  caller.close();
}
