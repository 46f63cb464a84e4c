import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/client.ts";
import { PaletteService } from "../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { SkillService } from "../src/gen/fermata/skill/v1/skill_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../src/gen/health/v1/health_pb.ts";
import { type Sidecar, startSidecar } from "../src/sidecar.ts";
import { createRequestLog } from "../src/transport/request-log.ts";
import { configOf, temporaryFolder } from "./transport/sidecars.ts";

const folder = temporaryFolder();
const socket = `unix:${folder.path}/f.sock`;
let sidecar: Sidecar;
beforeAll(async () => {
  const config = configOf({ listen: ["127.0.0.1:0", socket], dataDir: folder.path, store: "none" });
  sidecar = await startSidecar(config, createRequestLog("silent"));
});
afterAll(async () => {
  await sidecar.stop();
  folder.remove();
});

const registry = { tools: [{ name: "search" }] };

describe.each(["TCP", "a Unix socket"])("the client over %s", (kind) => {
  const client = () => connect(kind === "TCP" ? (sidecar.listening[0] ?? "") : socket, 5_000);

  it("hands an answer on", async () => {
    const asking = client();
    const answer = await asking.unary(PaletteService.method.resolve, {
      registered: { case: "registry", value: registry },
    });
    expect(answer).toMatchObject({ kind: "ok", value: { palette: { offer: { case: "full" } } } });
    asking.close();
  });

  it("reads the leaf of a refusal", async () => {
    const asking = client();
    const registered = { case: "registry", value: registry } as const;
    const answer = await asking.unary(PaletteService.method.resolve, { registered, forcedTool: "mail" });
    expect(answer).toMatchObject({
      kind: "ended",
      code: 9,
      refusal: { leaf: { case: "forcedToolUnavailable", value: { forcedTool: "mail" } } },
    });
    asking.close();
  });

  it("has no leaf for what a library says by itself", async () => {
    const asking = client();
    const answer = await asking.unary(SkillService.method.listSkills, {});
    expect(answer).toMatchObject({ kind: "ended", code: 12, refusal: undefined });
    asking.close();
  });

  it("reads a stream and cancels it when its reader leaves", async () => {
    const asking = client();
    for await (const answer of asking.serverStream(Health.method.watch, { service: "" })) {
      expect(answer).toMatchObject({ kind: "ok", value: { status: Status.SERVING } });
      break;
    }
    asking.close();
  });
});

it("says how a stream ended as its last answer", async () => {
  const asking = connect(socket, 300);
  const answers: unknown[] = [];
  for await (const answer of asking.serverStream(Health.method.watch, { service: "" })) answers.push(answer);
  expect(answers).toMatchObject([{ kind: "ok" }, { kind: "ended", code: 4 }]);
  asking.close();
});

it("gives up on a listener that never speaks", async () => {
  const mute = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => mute.once("listening", listening));
  const address = mute.address();
  const asking = connect(`127.0.0.1:${typeof address === "object" ? address?.port : ""}`, 300);
  expect(await asking.unary(Health.method.check, {})).toMatchObject({ kind: "ended", code: 4, refusal: undefined });
  asking.close();
  mute.close();
});
