import type { Message } from "@bufbuild/protobuf";
import type { SupportWindow } from "../domain/conversation/support-window.ts";
import type { KeyRules } from "../domain/conversation/thread-key.ts";
import { refuse } from "../domain/outcome.ts";
import { ConversationService } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { PaletteService } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { deriveThreadKey } from "../rpc/conversation/derive-thread-key.ts";
import { getCheckpoint } from "../rpc/conversation/get-checkpoint.ts";
import { getSupportWindow } from "../rpc/conversation/get-support-window.ts";
import { issue } from "../rpc/conversation/issue.ts";
import { judge } from "../rpc/conversation/judge.ts";
import { listCheckpoints } from "../rpc/conversation/list-checkpoints.ts";
import { resume } from "../rpc/conversation/resume.ts";
import { registerTools } from "../rpc/palette/register-tools.ts";
import { type ResolveDeps, resolve } from "../rpc/palette/resolve.ts";
import { verifyCalls } from "../rpc/palette/verify-calls.ts";
import type { Unary } from "../rpc/rpc.ts";
import type { ConversationStore, Documents } from "../store/ports.ts";
import type { Registries } from "../store/registries.ts";
import { type Route, unary } from "./route.ts";

/** What the RPCs stand on. */
export interface RouteDeps {
  readonly registries: Registries;
  readonly operatorStages: ResolveDeps["operatorStages"];
  /** Absent: no store is configured. */
  readonly store: ConversationStore | undefined;
  readonly documents: Documents;
  readonly rules: KeyRules;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
  readonly maxDocumentBytes: number;
  readonly serverVersion: string;
  readonly configDigest: () => string;
}

/** Every RPC that is built, in one list. A method that is not here answers UNIMPLEMENTED. */
export function routes(deps: RouteDeps): readonly Route[] {
  const { find: registryOf, keep } = deps.registries;
  const { store } = deps;
  const palette = PaletteService.method;
  const conversation = ConversationService.method;
  return [
    unary(palette.resolve, resolve({ registryOf, operatorStages: deps.operatorStages }), "resolve"),
    unary(palette.verifyCalls, verifyCalls({ registryOf }), "resolve"),
    unary(palette.registerTools, registerTools({ keep }), "resolve"),
    unary(conversation.judge, judge(deps)),
    unary(conversation.deriveThreadKey, deriveThreadKey(deps)),
    unary(conversation.getSupportWindow, getSupportWindow({ ...deps, storeId: () => store?.storeId })),
    unary(
      conversation.issue,
      stored(store, (kept) => issue({ ...deps, store: kept })),
    ),
    unary(
      conversation.resume,
      stored(store, (kept) => resume({ ...deps, store: kept })),
    ),
    unary(
      conversation.getCheckpoint,
      stored(store, (kept) => getCheckpoint({ ...deps, store: kept })),
    ),
    unary(
      conversation.listCheckpoints,
      stored(store, (kept) => listCheckpoints({ ...deps, store: kept })),
    ),
  ];
}

/** An RPC that needs a store; without one it is STORE_NOT_CONFIGURED whatever was asked. */
function stored<I extends Message, O extends Message>(
  store: ConversationStore | undefined,
  rpc: (store: ConversationStore) => Unary<I, O>,
): Unary<I, O> {
  return store === undefined ? () => refuse("storeNotConfigured", {}) : rpc(store);
}
