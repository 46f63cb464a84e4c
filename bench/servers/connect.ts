import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { readConfig } from "../../src/config.ts";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { resolve } from "../../src/rpc/palette/resolve.ts";
import { openRegistries } from "../../src/store/registries.ts";
import { reportCpu } from "./cpu.ts";

/** The same Resolve on a plain connect-node server: what the sidecar would cost with one server instead of two. */
const loaded = readConfig({ file: undefined, env: {}, flags: {} });
if (loaded.kind === "faulty") throw new Error("the defaults are faulty");
const { palette } = loaded.config;
const run = resolve({ registryOf: openRegistries().find, operatorStages: () => palette });
const call = { deadline: Number.POSITIVE_INFINITY, signal: new AbortController().signal };

const routes = (router: ConnectRouter): void => {
  router.rpc(PaletteService.method.resolve, async (request) => {
    const outcome = await run(request, call);
    if (outcome.kind === "ok") return outcome.value;
    throw new ConnectError(outcome.leaf.case);
  });
};
const server = createServer({}, connectNodeAdapter({ routes }));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  reportCpu(`127.0.0.1:${port}`);
});
