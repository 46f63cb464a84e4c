import { create } from "@bufbuild/protobuf";
import type { IssueWrite } from "../../domain/conversation/issue.ts";
import { midFrameSample } from "../../domain/conversation/mid-frame.ts";
import { issueRetry } from "../../domain/conversation/retry.ts";
import { pastHorizon, type SupportWindow } from "../../domain/conversation/support-window.ts";
import type { KeyRules, Target } from "../../domain/conversation/thread-key.ts";
import type { Written } from "../../domain/conversation/write.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import {
  type IssueRequest,
  type IssueResponse,
  IssueResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore, Documents, Prepared } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { newCheckpointId } from "./checkpoint-id.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { judgedOf } from "./judged.ts";
import { checkOptionalName, checkSubmission } from "./request-checks.ts";
import { targetOf } from "./thread-target.ts";

/** What Issue needs. */
export interface IssueDeps {
  readonly store: Pick<ConversationStore, "write">;
  readonly documents: Pick<Documents, "prepare">;
  readonly rules: KeyRules;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
  readonly maxDocumentBytes: number;
}

/** Stores a new checkpoint at a thread's head, mid-frame or not, and says where it stands. */
export function issue(deps: IssueDeps): Unary<IssueRequest, IssueResponse> {
  return async (request, { deadline }) => {
    const violations = checkIssue(request, deps.maxDocumentBytes);
    if (violations.length > 0) return invalidRequest(violations);
    const target = targetOf(request.key, deps.rules);
    if (target.kind === "refusal") return target;
    const window = deps.window();
    const prepared = await deps.documents.prepare(judgedOf(request.document, request.boundaryProof, window));
    const write = writeOf(request, { target: target.value, prepared, window, now: deps.clock() });
    return answer(await deps.store.write(write, prepared.payload, deadline), window);
  };
}

function checkIssue(request: IssueRequest, maxDocumentBytes: number): readonly Violation[] {
  return [...checkSubmission(request, maxDocumentBytes), ...checkOptionalName("expected_head", request.expectedHead)];
}

interface Ready {
  readonly target: Target;
  readonly prepared: Prepared;
  readonly window: SupportWindow;
  readonly now: number;
}

function writeOf(request: IssueRequest, { target, prepared, window, now }: Ready): IssueWrite {
  const { expectedHead, boundaryProof: claimedProof } = request;
  const { verdict, facts: payload } = prepared;
  const format = request.document?.format ?? "";
  const host = hostOf(request);
  const checkpointId = newCheckpointId(now);
  const refused = verdict.kind === "refusal" ? verdict : undefined;
  return {
    kind: "issue",
    target,
    checkpointId,
    now,
    expectedHead,
    retry: issueRetry(request.idempotencyKey, { expectedHead, format, payload, claimedProof, host }),
    host,
    format,
    claimedProof,
    payload,
    boundary: verdict.kind === "boundary" ? verdict.boundary : undefined,
    midFrame: verdict.kind === "midFrame" ? midFrameSample(verdict, checkpointId) : undefined,
    unfit: refused ?? pastHorizon(window.formats.get(format), now, { checkpointId: "", replayable: false }),
  };
}

function hostOf({ host }: IssueRequest): IssueWrite["host"] {
  return { runtime: host?.runtime ?? "", version: host?.version ?? "", model: host?.model ?? "" };
}

function answer(outcome: Outcome<Written>, window: SupportWindow): Outcome<IssueResponse> {
  if (outcome.kind === "refusal") return outcome;
  const { thread, checkpoint, midFrame, repeated } = outcome.value;
  const { boundary } = checkpoint.header;
  return ok(
    create(IssueResponseSchema, {
      checkpoint: checkpointMessage(thread, checkpoint, window),
      ...(boundary === undefined ? {} : { boundary }),
      ...(midFrame === undefined ? {} : { midFrame }),
      firstAnswerRepeated: repeated,
    }),
  );
}
