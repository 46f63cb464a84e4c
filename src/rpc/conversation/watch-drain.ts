import { create } from "@bufbuild/protobuf";
import { ok, refuse } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type WatchDrainRequest,
  type WatchDrainResponse,
  WatchDrainResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { Drain } from "../../gen/fermata/conversation/v1/freeze_pb.ts";
import type { ServerStream } from "../rpc.ts";
import { drainNow, type GetDrainDeps } from "./get-drain.ts";
import { checkRequiredName } from "./request-checks.ts";

/** How often the store is asked, in milliseconds: other sidecars change it, too, and nobody tells this one. */
const askEvery = 500;

/** The drain now and whenever its revision has gone up, until its hold is thawed: then the stream ends well. */
export function watchDrain(deps: GetDrainDeps): ServerStream<WatchDrainRequest, WatchDrainResponse> {
  return async ({ freezeId }, { signal }) => {
    const violations = checkRequiredName("freeze_id", freezeId);
    if (violations.length > 0) return invalidRequest(violations);
    const first = await drainNow(deps, { by: "hold", freezeId });
    return first === undefined ? refuse("freezeNotFound", { freezeId }) : ok(changes(deps, first, signal));
  };
}

async function* changes(deps: GetDrainDeps, first: Drain, signal: AbortSignal): AsyncGenerator<WatchDrainResponse> {
  let told = first;
  yield create(WatchDrainResponseSchema, { drain: told });
  while (await pause(signal)) {
    const drain = await drainNow(deps, { by: "hold", freezeId: first.freezeId });
    if (drain === undefined) return;
    if (drain.revision === told.revision) continue;
    told = drain;
    yield create(WatchDrainResponseSchema, { drain });
  }
}

/** Waits, and answers whether there is still somebody to ask for. */
function pause(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(end, askEvery);
    signal.addEventListener("abort", end);
  });
}
