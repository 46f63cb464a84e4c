import { create } from "@bufbuild/protobuf";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { toDecision } from "../../domain/palette/decision.ts";
import { type Evidence, readEvidence } from "../../domain/palette/evidence.ts";
import { explain } from "../../domain/palette/explain.ts";
import { toPalette } from "../../domain/palette/offer.ts";
import type { OperatorStages } from "../../domain/palette/operator-stages.ts";
import { type Resolved, resolvePalette, type Turn } from "../../domain/palette/resolve.ts";
import { toRoutingAnswer } from "../../domain/palette/routing-answer.ts";
import { parseStages, type SelectionStage } from "../../domain/palette/stage.ts";
import { turnLimitFaults } from "../../domain/palette/turn-limits.ts";
import { invalid, invalidRequest, type Parsed, type Violation } from "../../domain/violation.ts";
import {
  type ResolveRequest,
  type ResolveResponse,
  ResolveResponseSchema,
} from "../../gen/fermata/palette/v1/palette_service_pb.ts";
import type { Call, Unary } from "../rpc.ts";
import { lookUp, type RegistryOf, type RegistryRef, readRegistered } from "./registered.ts";
import { retrieve, type SkillStore } from "./retrieval.ts";
import { areSlow, matchInSlices } from "./slow-stages.ts";

/** What Resolve needs. */
export interface ResolveDeps {
  readonly registryOf: RegistryOf;
  /** A function, since the operator may change them while the sidecar runs. If it throws, the call ends: a hard filter never opens. */
  readonly operatorStages: () => OperatorStages;
  readonly skillStore?: SkillStore;
}

/** The palette of one model call. It waits for nothing unless the sidecar's own skill store has to be asked. */
export function resolve(deps: ResolveDeps): Unary<ResolveRequest, ResolveResponse> {
  return (request, call) => {
    const operatorStages = deps.operatorStages();
    const read = readRequest(request, operatorStages);
    if (read.kind === "invalid") return invalidRequest(read.violations);
    const found = lookUp(read.value.registered, deps.registryOf);
    if (found.kind === "refusal") return found;
    const turn = { request, registry: found.value, operatorStages, stages: read.value.stages };
    const evidence = readEvidence(request.procedural, { registry: found.value, skillStore: deps.skillStore });
    if (evidence.kind === "query") {
      return retrieve(evidence.skillStore, evidence.query, call).then((retrieved) => answer(turn, retrieved, call));
    }
    return answer(turn, evidence, call);
  };
}

function answer(
  turn: RequestedTurn,
  evidence: Evidence,
  call: Call,
): Outcome<ResolveResponse> | Promise<Outcome<ResolveResponse>> {
  if (!areSlow(turn)) return decide(turn, evidence);
  return matchInSlices(turn, call.signal).then((matched) => decide(matched, evidence));
}

interface ReadRequest {
  readonly registered: RegistryRef;
  readonly stages: readonly SelectionStage[];
}

interface RequestedTurn extends Pick<Turn, "registry" | "operatorStages" | "stages"> {
  readonly request: ResolveRequest;
}

function readRequest(request: ResolveRequest, operatorStages: OperatorStages): Parsed<ReadRequest> {
  const { alwaysOffer, callsMade, labels, procedural } = request;
  const registered = readRegistered(request.registered);
  const stages = parseStages(request.stages, operatorStages.names);
  const rows = procedural.case === "skills" ? procedural.value.rows.length : 0;
  const faults = turnLimitFaults({ rows, alwaysOffer, callsMade, labels });
  if (registered.kind === "ok" && stages.kind === "ok" && faults.length === 0) {
    return ok({ registered: registered.value, stages: stages.value });
  }
  return invalid([...violationsOf(registered), ...violationsOf(stages), ...faults]);
}

function violationsOf(parsed: Parsed<unknown>): readonly Violation[] {
  return parsed.kind === "invalid" ? parsed.violations : [];
}

function decide({ request, ...turn }: RequestedTurn, evidence: Evidence): Outcome<ResolveResponse> {
  const { alwaysOffer, forcedTool, callsMade, labels } = request;
  const resolved = resolvePalette({ ...turn, evidence, alwaysOffer, forcedTool, callsMade, labels });
  if (resolved.kind === "refusal") return resolved;
  const response = toResponse(resolved.value, turn.operatorStages.version);
  return ok(request.explain ? { ...response, explanation: explain(resolved.value) } : response);
}

function toResponse(resolved: Resolved, stagesVersion: string): ResolveResponse {
  const palette = toPalette(resolved.offer, resolved.force.tool);
  return create(ResolveResponseSchema, {
    palette,
    routing: toRoutingAnswer(resolved.routing),
    forceSatisfied: resolved.force.satisfied,
    decision: toDecision(resolved, palette, stagesVersion),
  });
}
