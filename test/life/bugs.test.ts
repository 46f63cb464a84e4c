import { afterEach, describe, expect, it } from "vitest";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { type Child, startChild } from "../hostile/child.ts";
import { rawSocket } from "../hostile/raw-http1.ts";
import { resolvePath } from "../hostile/requests.ts";
import { grpcCaller } from "../transport/callers.ts";

let child: Child;

afterEach(() => child.end());

describe("a bug outside any call", () => {
  it("is logged once and without its words, and ends the process with 70", async () => {
    child = await startChild("../life/failing-sidecar.ts");
    const address = JSON.parse(child.firstLine).listening[0];
    const caller = grpcCaller(address);
    expect(await caller.call(PaletteService.method.resolve, { registry: {} })).toMatchObject({ kind: "ok" });
    const started = Date.now();
    child.signal("SIGUSR2");
    expect(await child.ended).toBe(70);
    expect(Date.now() - started).toBeLessThan(1_500);
    const lines = child.output().trim().split("\n");
    const bugs = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
    expect(bugs).toMatchObject([{ cause: { class: "Error", at: expect.stringMatching(/^failing-sidecar\.ts:\d+$/) } }]);
    expect(child.output()).not.toContain("CANARY");
    caller.close();
  });

  it("gives calls in flight two seconds, and no more", async () => {
    child = await startChild("../life/failing-sidecar.ts");
    const socket = rawSocket(JSON.parse(child.firstLine).listening[0]);
    socket.write(`POST ${resolvePath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n`);
    socket.write("content-type: application/json\r\n\r\n{");
    await new Promise((resume) => setTimeout(resume, 200));
    const started = Date.now();
    child.signal("SIGUSR2");
    expect(await child.ended).toBe(70);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_900);
    expect(Date.now() - started).toBeLessThan(4_000);
    socket.destroy();
  });
});
