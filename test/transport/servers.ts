import { join } from "node:path";
import type { DescFile } from "@bufbuild/protobuf";
import { type Refusal, refuse } from "../../src/domain/outcome.ts";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { file_fermata_refusal_v1_refusal } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { file_google_rpc_error_details } from "../../src/gen/google/rpc/error_details_pb.ts";
import { file_google_rpc_status } from "../../src/gen/google/rpc/status_pb.ts";
import { Calls } from "../../src/transport/call.ts";
import { createGuard, type Guard } from "../../src/transport/guard.ts";
import { createReflection } from "../../src/transport/reflection.ts";
import { createRequestLog } from "../../src/transport/request-log.ts";
import { type Route, unary } from "../../src/transport/route.ts";
import { createServer, type ServerLimits } from "../../src/transport/server.ts";
import { temporaryFolder } from "./sidecars.ts";

/** A server of any routes, on TCP and on a Unix socket. */
export interface TestServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** The socket's path. */
  readonly socket: string;
  readonly calls: Calls;
  stop(): Promise<void>;
}

/** What a test changes of a server. */
export interface TestServerParts {
  readonly routes: readonly Route[];
  readonly guard?: Guard;
  readonly limits?: Partial<ServerLimits & { callsInFlight: number; replaysInFlight: number; callDeadline: number }>;
}

/** The defaults of a server under test, as the config has them. */
export const serverLimits = {
  connections: 64,
  headerBytes: 16 * 1024,
  prefaceTimeout: 5_000,
  headersTimeout: 10_000,
  bodyTimeout: 30_000,
  resetsPer10s: 200,
  messageBytes: 11_500_000,
  streamsPerConnection: 128,
  callsInFlight: 256,
  replaysInFlight: 32,
  maxDocumentBytes: 8 * 1024 * 1024,
  documentsInFlightBytes: 64 * 1024 * 1024,
  resolveDeadline: 2_000,
  callDeadline: 15_000,
  replayDeadline: 300_000,
};

const described: readonly DescFile[] = [
  PaletteService.file,
  file_fermata_refusal_v1_refusal,
  file_google_rpc_status,
  file_google_rpc_error_details,
];

/** The real servers and listeners with a test's own handlers. */
export async function startServer(parts: TestServerParts): Promise<TestServer> {
  const all = { ...serverLimits, ...parts.limits };
  const calls = new Calls(all, createRequestLog("silent"));
  const guard = parts.guard ?? createGuard([], all.headerBytes);
  const server = createServer({
    routes: parts.routes,
    calls,
    guard,
    reflection: createReflection(described, [PaletteService.typeName]),
    limits: all,
  });
  const folder = temporaryFolder();
  const socket = join(folder.path, "data.sock");
  const { address } = await server.listen("127.0.0.1:0");
  await server.listen(`unix:${socket}`);
  return {
    address,
    socket,
    calls,
    stop: async () => {
      server.destroy();
      await server.drain();
      folder.remove();
    },
  };
}

/** A server whose Resolve answers the refusal that `forced_tool` names: how readers in other languages meet every status. */
export function startGoldenServer(refusals: ReadonlyMap<string, Refusal>): Promise<TestServer> {
  const answer = unary(
    PaletteService.method.resolve,
    ({ forcedTool }) => refusals.get(forcedTool ?? "") ?? refuse("registryUnknown", {}),
    "turn",
  );
  return startServer({ routes: [answer] });
}
