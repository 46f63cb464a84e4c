import { create } from "@bufbuild/protobuf";
import type { RegisterReplayWrite } from "../../domain/conversation/register-replay.ts";
import { replayRetry } from "../../domain/conversation/retry.ts";
import { pastHorizon, type SupportWindow } from "../../domain/conversation/support-window.ts";
import type { Written } from "../../domain/conversation/write.ts";
import { type Outcome, ok, type Refusal, refuse } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import {
  type RegisterReplayRequest,
  type RegisterReplayResponse,
  RegisterReplayResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore, Documents, Prepared } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { newCheckpointId } from "./checkpoint-id.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { judgedOf } from "./judged.ts";
import { checkBrought, checkOptionalName, checkRequiredName } from "./request-checks.ts";

/** What RegisterReplay needs. */
export interface RegisterReplayDeps {
  readonly store: Pick<ConversationStore, "write">;
  readonly documents: Pick<Documents, "prepare">;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
  readonly maxDocumentBytes: number;
}

/** Stores what a replay produced at the head of its source's thread, and retires the source with the same commit. */
export function registerReplay(deps: RegisterReplayDeps): Unary<RegisterReplayRequest, RegisterReplayResponse> {
  return async (request, { deadline }) => {
    const violations = checkRegister(request, deps.maxDocumentBytes);
    if (violations.length > 0) return invalidRequest(violations);
    const window = deps.window();
    const prepared = await deps.documents.prepare(judgedOf(request.document, request.boundaryProof, window));
    const write = writeOf(request, { prepared, window, now: deps.clock() });
    return answer(await deps.store.write(write, prepared.payload, deadline), window);
  };
}

function checkRegister(request: RegisterReplayRequest, maxDocumentBytes: number): readonly Violation[] {
  return [
    ...checkRequiredName("replay_id", request.replayId),
    ...checkRequiredName("source_checkpoint_id", request.sourceCheckpointId),
    ...checkBrought(request, maxDocumentBytes),
    ...checkOptionalName("expected_head", request.expectedHead),
  ];
}

interface Ready {
  readonly prepared: Prepared;
  readonly window: SupportWindow;
  readonly now: number;
}

function writeOf(request: RegisterReplayRequest, ready: Ready): RegisterReplayWrite {
  const { replayId, sourceCheckpointId, boundaryProof: claimedProof, idempotencyKey } = request;
  const { verdict, facts: payload } = ready.prepared;
  const expectedHead = request.expectedHead ?? sourceCheckpointId;
  const format = request.document?.format ?? "";
  const { runtime = "", version = "", model = "" } = request.host ?? {};
  const body = { format, payload, claimedProof, host: { runtime, version, model } };
  return {
    kind: "registerReplay",
    target: { by: "source", checkpointId: sourceCheckpointId },
    checkpointId: newCheckpointId(ready.now),
    now: ready.now,
    replayId,
    expectedHead,
    retry: replayRetry(idempotencyKey, { ...body, sourceCheckpointId, replayId, expectedHead }),
    ...body,
    boundary: verdict.kind === "boundary" ? verdict.boundary : undefined,
    unfit: unfit(format, ready),
  };
}

/** Rows 6 to 9: a replay ends at a boundary. What it brings is stored nowhere yet, so no replay of it is possible. */
function unfit(format: string, { prepared: { verdict }, window, now }: Ready): Refusal | undefined {
  if (verdict.kind === "refusal") return verdict;
  const expired = pastHorizon(window.formats.get(format), now, { checkpointId: "", replayable: false });
  if (expired !== undefined || verdict.kind === "boundary") return expired;
  return refuse("unsafeBoundary", verdict.unsafe);
}

function answer(outcome: Outcome<Written>, window: SupportWindow): Outcome<RegisterReplayResponse> {
  if (outcome.kind === "refusal") return outcome;
  const { thread, checkpoint, repeated } = outcome.value;
  const { boundary } = checkpoint.header;
  return ok(
    create(RegisterReplayResponseSchema, {
      checkpoint: checkpointMessage(thread, checkpoint, window),
      ...(boundary === undefined ? {} : { boundary }),
      firstAnswerRepeated: repeated,
    }),
  );
}
