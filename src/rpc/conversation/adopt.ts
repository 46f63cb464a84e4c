import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { AdoptWrite } from "../../domain/conversation/adopt.ts";
import { readLegacyKey } from "../../domain/conversation/legacy-key.ts";
import { adoptRetry } from "../../domain/conversation/retry.ts";
import type { SupportWindow } from "../../domain/conversation/support-window.ts";
import { type KeyRules, nameThread } from "../../domain/conversation/thread-key.ts";
import type { Written } from "../../domain/conversation/write.ts";
import { type Outcome, ok, type Refusal } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import {
  type AdoptRequest,
  type AdoptResponse,
  AdoptResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { CheckpointFormat_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { ConversationStore, Documents, Prepared } from "../../store/ports.ts";
import type { Unary } from "../rpc.ts";
import { newCheckpointId } from "./checkpoint-id.ts";
import { checkpointMessage } from "./checkpoint-message.ts";
import { judgedOf } from "./judged.ts";
import { checkSubmission, required } from "./request-checks.ts";

/** What Adopt needs. */
export interface AdoptDeps {
  readonly store: Pick<ConversationStore, "write">;
  readonly documents: Pick<Documents, "prepare">;
  readonly rules: KeyRules;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
  readonly maxDocumentBytes: number;
}

/** Accounts for a row that exists already: any bytes of a declared format. Resume judges them. */
export function adopt(deps: AdoptDeps): Unary<AdoptRequest, AdoptResponse> {
  return async (request, { deadline }) => {
    const violations = checkAdopt(request, deps);
    if (violations.length > 0) return invalidRequest(violations);
    const target = targetOf(request, deps.rules);
    if (target.kind === "refusal") return target;
    const window = deps.window();
    const prepared = await deps.documents.prepare(judgedOf(request.document, request.boundaryProof, window));
    const write = writeOf(request, { target: target.value, prepared, now: deps.clock() });
    return answer(await deps.store.write(write, prepared.payload, deadline), window);
  };
}

function checkAdopt(request: AdoptRequest, { rules, maxDocumentBytes }: AdoptDeps): readonly Violation[] {
  const byKey = request.key.case === "threadKey";
  return [...checkSubmission(request, maxDocumentBytes), ...(byKey ? checkDerivation(request.derivation, rules) : [])];
}

function checkDerivation(name: string, { derivations }: KeyRules): readonly Violation[] {
  if (name === "") return [required("derivation")];
  if (derivations.some((derivation) => derivation.name === name)) return [];
  return [
    { field: "derivation", rule: "UNKNOWN", description: "is not declared; a key is read by the rule that made it" },
  ];
}

function targetOf({ key, derivation: name }: AdoptRequest, rules: KeyRules): Outcome<AdoptWrite["target"]> {
  if (key.case === "threadKey") {
    const derivation = rules.derivations.find((found) => found.name === name);
    if (derivation === undefined) return invalidRequest(checkDerivation(name, rules));
    const legacy = readLegacyKey(key.value, derivation, rules.separator);
    return legacy.kind === "refusal" ? legacy : ok({ by: "legacy", key: key.value, legacy: legacy.value });
  }
  const named = nameThread(key.value, rules);
  return named.kind === "refusal" ? named : ok({ by: "identity", named: named.value });
}

interface Ready {
  readonly target: AdoptWrite["target"];
  readonly prepared: Prepared;
  readonly now: number;
}

function writeOf(request: AdoptRequest, { target, prepared, now }: Ready): AdoptWrite {
  const { boundaryProof: claimedProof } = request;
  const { verdict, facts: payload } = prepared;
  const format = request.document?.format ?? "";
  const { runtime = "", version = "", model = "" } = request.host ?? {};
  const writtenTime = request.writtenTime === undefined ? undefined : timestampMs(request.writtenTime);
  const host = { runtime, version, model };
  return {
    kind: "adopt",
    target,
    checkpointId: newCheckpointId(now),
    now,
    writtenTime,
    retry: adoptRetry(request.idempotencyKey, { writtenTime, format, payload, claimedProof, host }),
    host,
    format,
    claimedProof,
    payload,
    boundary: verdict.kind === "boundary" ? verdict.boundary : undefined,
    unfit: verdict.kind === "refusal" ? undeclared(verdict) : undefined,
  };
}

/** The two causes that stop an adoption; the others are for Resume to find. */
function undeclared(verdict: Refusal): Refusal | undefined {
  if (verdict.leaf.case !== "checkpointFormat") return verdict;
  const { cause } = verdict.leaf.value;
  const stops = cause === CheckpointFormat_Cause.UNDECLARED || cause === CheckpointFormat_Cause.FUTURE_VERSION;
  return stops ? verdict : undefined;
}

function answer(outcome: Outcome<Written>, window: SupportWindow): Outcome<AdoptResponse> {
  if (outcome.kind === "refusal") return outcome;
  const { thread, checkpoint, repeated } = outcome.value;
  const { boundary } = checkpoint.header;
  return ok(
    create(AdoptResponseSchema, {
      checkpoint: checkpointMessage(thread, checkpoint, window),
      ...(boundary === undefined ? {} : { boundary }),
      firstAnswerRepeated: repeated,
    }),
  );
}
