import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Answer, Ending } from "../client.ts";
import type { Config } from "../config.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { ResolveRequest, ResolveResponse } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { RefusalSchema } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { resolve } from "../rpc/palette/resolve.ts";
import { toStatus } from "../transport/status.ts";

/** Resolves in this process, by the same function and with the same refusal as a sidecar with this config. */
export async function resolveHere(request: ResolveRequest, config: Config): Promise<Answer<ResolveResponse>> {
  const answer = resolve({ registryOf: () => undefined, operatorStages: () => config.palette });
  const deadline = Date.now() + config.limits.resolveDeadline;
  const outcome = await answer(request, { deadline, signal: AbortSignal.timeout(config.limits.resolveDeadline) });
  return outcome.kind === "ok" ? outcome : toEnding(outcome);
}

/** Read from the status that a sidecar would send, so that both ways show the same. */
export function toEnding(refused: Refusal): Ending {
  const { code, message, details } = toStatus(refused);
  const refusal = details.map((detail) => anyUnpack(detail, RefusalSchema)).find((found) => found !== undefined);
  return { kind: "ended", code, text: message, refusal };
}
