import { create } from "@bufbuild/protobuf";
import { ok } from "../../src/domain/outcome.ts";
import {
  ConversationService,
  ReplayResponseSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { PaletteService } from "../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { Calls } from "../../src/transport/call.ts";
import { createGuard } from "../../src/transport/guard.ts";
import { createRequestLog } from "../../src/transport/request-log.ts";
import { stream, unary } from "../../src/transport/route.ts";
import { createServer } from "../../src/transport/server.ts";
import { serverLimits } from "../transport/servers.ts";

// For log.test.ts: handlers that throw what they were sent, with the real log at its loudest, in a process whose outputs can be read.
const log = createRequestLog("debug");
const thrown = (content: string): Error => {
  const cause = new SyntaxError(`Unexpected token in ${content}`);
  return Object.assign(new Error(`bad: ${content}:1:2\n    at ${content}:1:2`, { cause }), {
    content,
    code: content,
    detail: { content },
  });
};
const server = createServer({
  routes: [
    unary(PaletteService.method.resolve, async ({ forcedTool }) => Promise.reject(thrown(forcedTool ?? ""))),
    unary(PaletteService.method.verifyCalls, ({ calls: [call = ""] }) => {
      throw Object.assign(thrown(call), { name: call });
    }),
    unary(PaletteService.method.registerTools, () => ok({ registryDigest: "no bytes" } as never)),
    stream(ConversationService.method.replay, async ({ checkpointId }) =>
      ok(
        (async function* () {
          yield create(ReplayResponseSchema);
          throw thrown(checkpointId ?? "");
        })(),
      ),
    ),
  ],
  calls: new Calls(serverLimits, log),
  guard: createGuard([], serverLimits.headerBytes),
  reflection: undefined,
  limits: serverLimits,
});
const { address } = await server.listen("127.0.0.1:0");
log.note("listening", { address });
await log.flush();
