import { create } from "@bufbuild/protobuf";
import type { Found, FoundCheckpoint } from "../../domain/conversation/found.ts";
import { decideResume, type Resumable, type ResumeFacts } from "../../domain/conversation/resume.ts";
import { acceptedBoundaries, type SupportWindow } from "../../domain/conversation/support-window.ts";
import type { KeyRules } from "../../domain/conversation/thread-key.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { invalidRequest } from "../../domain/violation.ts";
import type { Document } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  type ResumeRequest,
  type ResumeResponse,
  ResumeResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { ConversationStore, Documents, Examined } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { termsOf } from "./judged.ts";
import { checkOptionalName } from "./request-checks.ts";
import { checkThreadRef, targetOfRef } from "./thread-target.ts";

/** What Resume needs. */
export interface ResumeDeps {
  readonly store: Pick<ConversationStore, "find">;
  readonly documents: Pick<Documents, "examine">;
  readonly rules: KeyRules;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
}

/** Gives back the checkpoint to go on from, or the one refusal that says why not. Creates nothing. */
export function resume(deps: ResumeDeps): Unary<ResumeRequest, ResumeResponse> {
  return async (request) => {
    const violations = [
      ...checkThreadRef("thread", request.thread),
      ...checkOptionalName("checkpoint_id", request.checkpointId),
    ];
    if (violations.length > 0) return invalidRequest(violations);
    const target = targetOfRef(request.thread, deps.rules);
    if (target.kind === "refusal") return target;
    const window = deps.window();
    const now = deps.clock();
    const { checkpointId } = request;
    const accepted = acceptedBoundaries(window, now);
    const found = await deps.store.find({ thread: target.value, checkpointId, accepted });
    const examined = await examine(deps, found, window);
    const asked = { claimedTenantId: request.thread?.claimedTenantId, checkpointId };
    const outcome = decideResume({ asked, found, examined, format: formatOf(found, window), now });
    return outcome.kind === "refusal" ? outcome : answer(outcome.value, examined, window);
  };
}

async function examine(deps: ResumeDeps, found: Found, window: SupportWindow): Promise<Examined | undefined> {
  if (found.kind !== "checkpoint" || found.payload === undefined) return undefined;
  const { format, claimedProof, payload } = found.checkpoint.header;
  return await deps.documents.examine({
    kind: payload.kind,
    bytes: found.payload,
    format,
    claimedProof,
    ...termsOf(format, window),
  });
}

function formatOf(found: Found, window: SupportWindow): ResumeFacts["format"] {
  return found.kind === "checkpoint" ? window.formats.get(found.checkpoint.header.format) : undefined;
}

function answer(
  { found, boundary, issuance }: Resumable,
  examined: Examined | undefined,
  window: SupportWindow,
): Outcome<ResumeResponse> {
  return ok(
    create(ResumeResponseSchema, {
      checkpoint: checkpointMessage(found.thread, found.checkpoint, window),
      document: { format: found.checkpoint.header.format, content: contentOf(found, examined) },
      boundary,
      issuance,
    }),
  );
}

/** The same kind and the same bytes: Buffer keeps a byte order mark, which TextDecoder would swallow. */
function contentOf({ checkpoint }: FoundCheckpoint, examined: Examined | undefined): Document["content"] {
  const bytes = examined?.bytes ?? new Uint8Array();
  if (checkpoint.header.payload.kind === "binary") return { case: "binary", value: bytes };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  return { case: "text", value: text };
}
