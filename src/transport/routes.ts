import type { DescMessage, DescMethodServerStreaming, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import type { SupportWindow } from "../domain/conversation/support-window.ts";
import type { KeyRules } from "../domain/conversation/thread-key.ts";
import { refuse } from "../domain/outcome.ts";
import { ConversationService } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { PaletteService } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { adopt } from "../rpc/conversation/adopt.ts";
import { attribute } from "../rpc/conversation/attribute.ts";
import { deriveThreadKey } from "../rpc/conversation/derive-thread-key.ts";
import { discard } from "../rpc/conversation/discard.ts";
import { erase } from "../rpc/conversation/erase.ts";
import { freeze } from "../rpc/conversation/freeze.ts";
import { getCheckpoint } from "../rpc/conversation/get-checkpoint.ts";
import { getDrain } from "../rpc/conversation/get-drain.ts";
import { getSupportWindow } from "../rpc/conversation/get-support-window.ts";
import { getTranscript } from "../rpc/conversation/get-transcript.ts";
import { issue } from "../rpc/conversation/issue.ts";
import { judge } from "../rpc/conversation/judge.ts";
import { listCheckpoints } from "../rpc/conversation/list-checkpoints.ts";
import { listFreezes } from "../rpc/conversation/list-freezes.ts";
import { registerReplay } from "../rpc/conversation/register-replay.ts";
import { replay } from "../rpc/conversation/replay.ts";
import { resume } from "../rpc/conversation/resume.ts";
import { thaw } from "../rpc/conversation/thaw.ts";
import { watchDrain } from "../rpc/conversation/watch-drain.ts";
import { registerTools } from "../rpc/palette/register-tools.ts";
import { type ResolveDeps, resolve } from "../rpc/palette/resolve.ts";
import { verifyCalls } from "../rpc/palette/verify-calls.ts";
import type { ServerStream, Unary } from "../rpc/rpc.ts";
import type { ConversationStore, Documents } from "../store/ports.ts";
import type { Registries } from "../store/registries.ts";
import { givesDocument, operators, type Pace, type Route, stream, unary } from "./route.ts";

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

/** The same with a store, for the RPCs that need one. */
interface StoredDeps extends RouteDeps {
  readonly store: ConversationStore;
}

/** Every RPC that is built, in one list. A method that is not here answers UNIMPLEMENTED. */
export function routes(deps: RouteDeps): readonly Route[] {
  const { find: registryOf, keep } = deps.registries;
  const palette = PaletteService.method;
  const conversation = ConversationService.method;
  const { store } = deps;
  /** Without a store the RPC is STORE_NOT_CONFIGURED, whatever was asked. */
  function stored<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    rpc: (deps: StoredDeps) => Unary<MessageShape<I>, MessageShape<O>>,
  ): Route {
    return unary(method, store === undefined ? () => refuse("storeNotConfigured", {}) : rpc({ ...deps, store }));
  }
  /** The same for a stream. */
  function storedStream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    rpc: (deps: StoredDeps) => ServerStream<MessageShape<I>, MessageShape<O>>,
    pace: Pace,
  ): Route {
    const refused: ServerStream<MessageShape<I>, MessageShape<O>> = async () => refuse("storeNotConfigured", {});
    return stream(method, store === undefined ? refused : rpc({ ...deps, store }), pace);
  }
  return [
    unary(palette.resolve, resolve({ registryOf, operatorStages: deps.operatorStages }), "turn"),
    unary(palette.verifyCalls, verifyCalls({ registryOf }), "turn"),
    unary(palette.registerTools, registerTools({ keep }), "turn"),
    unary(conversation.judge, judge(deps)),
    unary(conversation.deriveThreadKey, deriveThreadKey(deps)),
    unary(conversation.getSupportWindow, getSupportWindow({ ...deps, storeId: () => store?.storeId })),
    stored(conversation.issue, issue),
    stored(conversation.adopt, adopt),
    givesDocument(stored(conversation.resume, resume)),
    stored(conversation.getCheckpoint, getCheckpoint),
    stored(conversation.listCheckpoints, listCheckpoints),
    givesDocument(stored(conversation.getTranscript, getTranscript)),
    stored(conversation.registerReplay, registerReplay),
    stored(conversation.getDrain, getDrain),
    ...[
      stored(conversation.attribute, attribute),
      stored(conversation.freeze, freeze),
      stored(conversation.thaw, thaw),
      stored(conversation.listFreezes, listFreezes),
      stored(conversation.discard, discard),
      stored(conversation.erase, erase),
    ].map(operators),
    givesDocument(storedStream(conversation.replay, replay, "replay")),
    storedStream(conversation.watchDrain, watchDrain, "watch"),
  ];
}
