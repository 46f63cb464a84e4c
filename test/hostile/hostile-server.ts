import { create } from "@bufbuild/protobuf";
import { ok } from "../../src/domain/outcome.ts";
import { PaletteService, ResolveResponseSchema } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { type Route, unary } from "../../src/transport/route.ts";
import { grpcCaller } from "../transport/callers.ts";
import { startServer, type TestServer, type TestServerParts } from "../transport/servers.ts";
import { rawExchange, rawRequest } from "./raw-http1.ts";
import { protocols, resolvePath } from "./requests.ts";

/** A Resolve that answers every request alike: whatever else a caller sees is the transport's. */
export const echoRoutes: readonly Route[] = [
  unary(PaletteService.method.resolve, () => ok(create(ResolveResponseSchema)), "turn"),
];

/** A server to be abused. */
export function startHostileServer(parts: Partial<TestServerParts> = {}): Promise<TestServer> {
  return startServer({ routes: echoRoutes, ...parts });
}

/** Whether the next ordinary calls are answered, over gRPC and over Connect. */
export async function stillAnswers(address: string): Promise<boolean> {
  const caller = grpcCaller(address);
  const grpc = await caller.call(PaletteService.method.resolve, {});
  caller.close();
  const [, , json] = protocols;
  const headers = [
    ["host", address],
    ["content-type", "application/json"],
  ] as const;
  const connect = await rawExchange(
    address,
    rawRequest({ path: resolvePath, headers, body: json?.body ?? Buffer.alloc(0) }),
  );
  return grpc.kind === "ok" && connect.status === 200;
}
