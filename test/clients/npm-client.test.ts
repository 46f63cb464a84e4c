import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Metadata, Server, ServerCredentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import {
  applyPalette,
  BrokenPalette,
  CallNotOffered,
  createFermata,
  type Fermata,
  type FermataError,
  ForeignStatus,
  factsOf,
  PermissionUndecided,
  SidecarUnreachable,
  StatusMismatch,
  type Turn,
} from "../../src/npm/fermata.ts";
import { TestSidecar, temporaryFolder } from "../transport/sidecars.ts";

/** A sidecar at a socket that stays the same over a restart. */
function sidecarAtASocket(settings: object = {}) {
  const folder = temporaryFolder();
  const target = `unix:${folder.path}/data.sock`;
  const sidecar = new TestSidecar({ listen: [target], ...settings });
  return { target, sidecar, end: () => sidecar.end().then(folder.remove) };
}

const ends: (() => unknown)[] = [];

function clientOf(...args: Parameters<typeof createFermata>): Fermata {
  const fermata = createFermata(...args);
  ends.push(fermata.close);
  return fermata;
}

afterAll(async () => {
  for (const end of ends) await end();
});

describe.each(["grpc", "connect"] as const)("createFermata by %s", (protocol) => {
  const { target, sidecar, end } = sidecarAtASocket();
  beforeAll(() => sidecar.start());
  afterAll(end);

  it("narrows a host's own tools, forces one, and checks the calls", async () => {
    const fermata = clientOf(target, { protocol });
    const tools = [{ id: "search" }, { id: "mail" }, { id: "calendar" }];
    for (const _ of ["inline", "by digest", "by digest"]) {
      const palette = await fermata.resolve({
        tools: tools.map(({ id }) => id),
        skills: ["calendar", "search"],
        force: "search",
      });
      expect(applyPalette(palette, tools, ({ id }) => id)).toEqual([tools[0], tools[2]]);
      expect(palette).toMatchObject({
        answered: true,
        full: false,
        forcedTool: "search",
        offered: ["search", "calendar"],
      });
      expect(await fermata.verify(palette, ["search"])).toMatchObject({ ok: true, forceSatisfied: true });
      const refused = await fermata.verify(palette, ["rm", "search", "mail"]).catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(CallNotOffered);
      expect(refused).toMatchObject({ calls: ["mail", "rm"] });
    }
  });

  it("hands a refusal on with its facts", async () => {
    const refused = await clientOf(target, { protocol })
      .resolve({ tools: ["b", "a"], force: "c" })
      .catch((thrown: unknown) => thrown);
    expect(factsOf(refused, "forcedToolUnavailable")?.registered?.names).toEqual(["a", "b"]);
    expect(factsOf(refused, "unsafeBoundary")).toBeUndefined();
    const error = refused as FermataError;
    expect([error.isA("CONTRACT_VIOLATION"), error.isA("CONVERSATION"), error.retryable]).toEqual([true, false, false]);
  });

  it("asks a procedural layer only when it is needed, and goes on when it fails", async () => {
    let asked = 0;
    const skills = () => {
      asked += 1;
      throw new TypeError("secret of the database");
    };
    const fermata = clientOf(target, { protocol });
    expect((await fermata.resolve({ tools: [], skills })).response.routing.case).toBe("unavailable");
    expect(asked).toBe(0);
    const { response, full } = await fermata.resolve({ tools: ["a"], skills });
    expect([asked, full, response.routing.case, response.routing.value]).toMatchObject([
      1,
      true,
      "declined",
      { faultType: "TypeError" },
    ]);
  });

  it("sees no error of a restart that it would have to know of", async () => {
    const restarted = sidecarAtASocket();
    await restarted.sidecar.start();
    const fermata = clientOf(restarted.target, { protocol });
    const turn = { tools: ["search", "mail"] };
    for (const _ of [1, 2]) expect((await fermata.resolve(turn)).answered).toBe(true);
    await restarted.sidecar.stop();
    expect((await fermata.resolve(turn)).answered).toBe(false);
    await restarted.sidecar.start();
    const back = Date.now();
    while (!(await fermata.resolve(turn)).answered);
    expect(Date.now() - back).toBeLessThan(3_000);
    await restarted.end();
  }, 20_000);

  it("tells a deadline of its own from an answer", async () => {
    const fermata = clientOf("127.0.0.1:9", { protocol, deadlines: { palette: 200 } });
    const ended = await fermata.palette.resolve({}).catch((thrown: unknown) => thrown);
    expect(ended).toBeInstanceOf(SidecarUnreachable);
    expect(ended).toMatchObject({ reason: "", retryable: true });
  });
});

const turn: Turn = { tools: ["search", "mail"] };
const hard: NonNullable<Turn["stages"]>[number] = {
  name: "h",
  protectsForced: false,
  rule: { case: "deny", value: { names: ["nothing"] } },
};
const labels = { role: "action" };

interface Row {
  readonly row: string;
  readonly seen?: Turn;
  readonly now: Turn;
  readonly offerAll?: true;
  readonly ends?: object;
  readonly forced?: string;
}

describe("while the sidecar does not answer", () => {
  it.each<Row>([
    { row: "never answered", now: turn, ends: PermissionUndecided },
    { row: "answered without a hard filter", seen: turn, now: turn },
    { row: "a hard stage of its own", seen: turn, now: { ...turn, stages: [hard] }, ends: PermissionUndecided },
    { row: "answered for other labels", seen: turn, now: { ...turn, labels }, ends: PermissionUndecided },
    { row: "answered for these labels", seen: { ...turn, labels }, now: { ...turn, labels } },
    { row: "a force that is registered", seen: turn, now: { ...turn, force: "mail" }, forced: "mail" },
    { row: "a force that is satisfied", seen: turn, now: { ...turn, force: "rm", callsMade: ["rm"] } },
    { row: "never answered, offer all", now: turn, offerAll: true },
  ])("$row", async ({ seen, now, offerAll, ends: wanted, forced }) => {
    const { target, sidecar, end } = sidecarAtASocket();
    await sidecar.start();
    const fermata = clientOf(target, { deadlines: { palette: 300 }, ...(offerAll && { onUnreachable: "offer-all" }) });
    if (seen !== undefined) await fermata.resolve(seen);
    await end();
    const came = await fermata.resolve(now).catch((thrown: unknown) => thrown);
    if (wanted !== undefined) expect(came).toBeInstanceOf(wanted);
    else expect(came).toMatchObject({ answered: false, full: true, forcedTool: forced, offered: ["search", "mail"] });
  });

  it("refuses a force that is not registered as the sidecar would", async () => {
    const fermata = clientOf("127.0.0.1:9", { deadlines: { palette: 200 }, onUnreachable: "offer-all" });
    const refused = await fermata.resolve({ ...turn, force: "rm" }).catch((thrown: unknown) => thrown);
    expect(factsOf(refused, "forcedToolUnavailable")?.registered?.names).toEqual(["mail", "search"]);
  });
});

describe("a status that no sidecar of this version made", () => {
  const info = (reason: string, parents: string, remedy: string, domain = "fermata") =>
    anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain, metadata: { parents, remedy } }));
  const details = (code: number, ...parts: ReturnType<typeof info>[]) =>
    toBinary(StatusSchema, create(StatusSchema, { code, message: "m", details: parts }));

  it.each<{ row: string; code: number; details?: Uint8Array; is: object; has?: object; below?: string }>([
    { row: "UNAVAILABLE of a proxy", code: 14, is: SidecarUnreachable, has: { retryable: true } },
    { row: "UNIMPLEMENTED", code: 12, is: ForeignStatus, has: { code: 12, retryable: false } },
    { row: "RESOURCE_EXHAUSTED", code: 8, is: ForeignStatus, has: { code: 8, retryable: false } },
    {
      row: "garbage for details",
      code: 9,
      details: new Uint8Array([0xde, 0xad, 0xbe]),
      is: ForeignStatus,
      has: { retryable: false },
    },
    { row: "another domain", code: 9, details: details(9, info("X", "", "", "proxy")), is: ForeignStatus },
    {
      row: "a mismatching inner code",
      code: 14,
      details: details(9, info("HEAD_CONFLICT", "CONVERSATION", "")),
      is: StatusMismatch,
    },
    {
      row: "an unknown leaf",
      code: 9,
      details: details(9, info("NEW", "CONVERSATION", "FIX_REQUEST")),
      is: Object,
      has: { reason: "NEW", retryable: false },
      below: "CONVERSATION",
    },
    {
      row: "an unknown leaf to retry",
      code: 9,
      details: details(9, info("NEW", "", "RETRY_LATER")),
      is: Object,
      has: { retryable: true },
    },
    {
      row: "an unknown remedy",
      code: 14,
      details: details(14, info("NEW", "", "PRAY")),
      is: Object,
      has: { retryable: true },
    },
  ])("$row", async ({ code, details: sent, is, has = {}, below }) => {
    const { target, stop } = await statusServer(code, sent);
    const fermata = clientOf(target, { deadlines: { palette: 1_000 } });
    const ended = await fermata.palette.resolve({}).catch((thrown: unknown) => thrown);
    stop();
    expect(ended).toBeInstanceOf(is);
    expect(ended).toMatchObject(has);
    if (below !== undefined) expect((ended as FermataError).isA(below)).toBe(true);
  });

  it("takes an answer without an offer for broken", async () => {
    const { target, stop } = await statusServer(0, undefined);
    const ended = await clientOf(target)
      .resolve(turn)
      .catch((thrown: unknown) => thrown);
    stop();
    expect(ended).toBeInstanceOf(BrokenPalette);
  });
});

/** A server of grpc-js that ends every Resolve so, whatever a sidecar would do; code 0 answers an empty message. */
async function statusServer(
  code: number,
  details: Uint8Array | undefined,
): Promise<{ target: string; stop: () => void }> {
  const server = new Server();
  const asBytes = { serialize: (bytes: Buffer) => bytes, deserialize: (bytes: Buffer) => bytes };
  const method = {
    path: "/fermata.palette.v1.PaletteService/Resolve",
    requestStream: false,
    responseStream: false,
    requestSerialize: asBytes.serialize,
    requestDeserialize: asBytes.deserialize,
    responseSerialize: asBytes.serialize,
    responseDeserialize: asBytes.deserialize,
  } as const;
  const metadata = new Metadata();
  if (details !== undefined) metadata.set("grpc-status-details-bin", Buffer.from(details));
  server.addService(
    { resolve: method },
    {
      resolve: (_: unknown, answer: (error: object | null, bytes?: Buffer) => void) =>
        code === 0 ? answer(null, Buffer.alloc(0)) : answer({ code, details: "m", metadata }),
    },
  );
  const port = await new Promise<number>((bound, failed) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, at) =>
      error === null ? bound(at) : failed(error),
    ),
  );
  return { target: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}
