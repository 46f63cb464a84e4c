import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { SkillService } from "../../src/gen/fermata/skill/v1/skill_service_pb.ts";
import { Health } from "../../src/gen/health/v1/health_pb.ts";
import { grpcCaller } from "../transport/callers.ts";
import { SidecarProcess } from "./sidecar-process.ts";

const services = ["", PaletteService.typeName, ConversationService.typeName, SkillService.typeName];
const notFound = 5;
const unimplemented = 12;

describe("a sidecar that serves", () => {
  let sidecar: SidecarProcess;
  let addresses: { readonly data: string; readonly admin: string };

  beforeAll(async () => {
    sidecar = await SidecarProcess.serving();
    addresses = { data: await sidecar.address(), admin: await sidecar.adminAddress() };
  });

  afterAll(() => sidecar.kill());

  it.each(["/livez", "/readyz", "/livez?verbose", "/readyz?"])(
    "answers 200 on the admin listener: %s",
    async (path) => {
      expect((await fetch(`http://${addresses.admin}${path}`)).status).toBe(200);
      expect((await fetch(`http://${addresses.admin}${path}`, { method: "HEAD" })).status).toBe(200);
    },
  );

  it.each(["/", "/x", "/livez/", "/fermata.palette.v1.PaletteService/Resolve"])(
    "answers 404 on the admin listener: %s",
    async (path) => {
      expect((await fetch(`http://${addresses.admin}${path}`)).status).toBe(404);
    },
  );

  it.each(["/livez", "/readyz", "/metrics", "/"])("answers 4xx on the data listener: %s", async (path) => {
    for (const method of ["GET", "HEAD", "POST"]) {
      const { status } = await fetch(`http://${addresses.data}${path}`, { method });
      expect(status, method).toBeGreaterThanOrEqual(400);
      expect(status, method).toBeLessThan(500);
    }
  });

  it.each(["data", "admin"] as const)(
    "tells the health of each service by gRPC on the %s listener",
    async (listener) => {
      const caller = grpcCaller(addresses[listener]);
      for (const service of services) {
        const answer = await caller.call(Health.method.check, { service });
        expect(answer, service).toEqual({ kind: "ok", messages: [{ status: "SERVING" }] });
      }
      expect(await caller.call(Health.method.check, { service: "no.such.Service" })).toMatchObject({ code: notFound });
      caller.close();
    },
  );

  it("serves no data on the admin listener", async () => {
    const caller = grpcCaller(addresses.admin);
    const answer = await caller.call(PaletteService.method.resolve, { registry: {} });
    expect(answer).toMatchObject({ kind: "refused", code: unimplemented });
    caller.close();
  });
});

describe("a sidecar that was told to stop", () => {
  let sidecar: SidecarProcess;

  afterEach(() => sidecar.kill());

  it("is not ready during its drain delay, lives, and answers calls as before", async () => {
    sidecar = await SidecarProcess.serving("--drain-delay", "1500ms");
    const [data, admin] = [await sidecar.address(), await sidecar.adminAddress()];
    const caller = grpcCaller(data);
    const probe = grpcCaller(admin);
    expect(await caller.call(PaletteService.method.resolve, { registry: {} })).toMatchObject({ kind: "ok" });
    const started = Date.now();
    sidecar.signal("SIGTERM");
    await until(async () => (await fetch(`http://${admin}/readyz`)).status === 503);
    expect((await fetch(`http://${admin}/livez`)).status).toBe(200);
    for (const service of services) {
      const answer = await probe.call(Health.method.check, { service });
      expect(answer, service).toEqual({ kind: "ok", messages: [{ status: "NOT_SERVING" }] });
    }
    expect(await caller.call(PaletteService.method.resolve, { registry: {} })).toMatchObject({ kind: "ok" });
    const late = grpcCaller(data);
    expect(await late.call(PaletteService.method.resolve, { registry: {} })).toMatchObject({ kind: "ok" });
    for (const open of [caller, late, probe]) open.close();
    expect(await sidecar.ended).toBe(0);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_450);
    expect(Date.now() - started).toBeLessThan(4_000);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resume) => setTimeout(resume, 10));
}
