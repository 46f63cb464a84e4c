import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { Calls } from "../../src/transport/call.ts";
import { createConnectHandler } from "../../src/transport/connect/server.ts";
import { createRequestLog } from "../../src/transport/request-log.ts";
import { serverLimits } from "../transport/servers.ts";
import { echoRoutes } from "./hostile-server.ts";

// The control run of guard.test.ts: the same Connect adapter with nothing in front of it, in a process of its own, because it ends.
const calls = new Calls(serverLimits, createRequestLog("silent"));
const handler = createConnectHandler({
  routes: echoRoutes,
  calls,
  reflection: undefined,
  exchangeOf: () => undefined,
  messageBytes: serverLimits.messageBytes,
});
const http1 = await bound(createHttpServer(handler));
const http2 = await bound(createHttp2Server({}, handler));
process.stdout.write(`${JSON.stringify({ http1, http2 })}\n`);

function bound(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen({ host: "127.0.0.1", port: 0 }, () => {
      const { port } = server.address() as AddressInfo; // listening on TCP
      resolve(`127.0.0.1:${port}`);
    });
  });
}
