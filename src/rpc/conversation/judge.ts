import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Verdict } from "../../domain/conversation/judge.ts";
import { pastHorizon, type SupportedFormat, type SupportWindow } from "../../domain/conversation/support-window.ts";
import { type Outcome, ok, refuse } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type JudgeRequest,
  type JudgeResponse,
  JudgeResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { Documents } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { judgedOf } from "./judged.ts";
import { checkDocument, checkOptionalName } from "./request-checks.ts";

/** What Judge needs: no store. */
export interface JudgeDeps {
  readonly documents: Pick<Documents, "judge">;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
  readonly maxDocumentBytes: number;
}

/** Resume's verdict on a document that the host keeps itself. Nothing is stored, and nothing of it can be replayed here. */
export function judge(deps: JudgeDeps): Unary<JudgeRequest, JudgeResponse> {
  return async (request) => {
    const violations = [
      ...checkDocument(request.document, deps.maxDocumentBytes),
      ...checkOptionalName("boundary_proof", request.boundaryProof),
    ];
    if (violations.length > 0) return invalidRequest(violations);
    const window = deps.window();
    const verdict = await deps.documents.judge(judgedOf(request.document, request.boundaryProof, window));
    const format = request.document?.format ?? "";
    return answer(verdict, { format, supported: window.formats.get(format), now: deps.clock() });
  };
}

interface Terms {
  readonly format: string;
  readonly supported: SupportedFormat | undefined;
  readonly now: number;
}

function answer(verdict: Verdict, { format, supported, now }: Terms): Outcome<JudgeResponse> {
  if (verdict.kind === "refusal") return verdict;
  const expired = pastHorizon(supported, now, { checkpointId: "", replayable: false });
  if (expired !== undefined) return expired;
  if (verdict.kind === "midFrame") return refuse("unsafeBoundary", verdict.unsafe);
  const end = supported?.end;
  return ok(
    create(JudgeResponseSchema, {
      boundary: verdict.boundary,
      format,
      ...(end === undefined ? {} : { supportedUntil: timestampFromMs(end.supportedUntil) }),
    }),
  );
}
