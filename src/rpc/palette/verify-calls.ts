import { create } from "@bufbuild/protobuf";
import { ok } from "../../domain/outcome.ts";
import { parseOfferedPalette, type Verdict, verifyCalls as verify } from "../../domain/palette/verify.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  CallVerdict,
  type VerifyCallsRequest,
  type VerifyCallsResponse,
  VerifyCallsResponseSchema,
} from "../../gen/fermata/palette/v1/palette_service_pb.ts";
import type { Unary } from "../rpc.ts";
import { lookUp, type RegistryOf, readRegistered } from "./registered.ts";

/** What VerifyCalls needs. */
export interface VerifyCallsDeps {
  readonly registryOf: RegistryOf;
}

/** Judges the calls that a model made against the palette that it was offered. Everything it needs is in the request. */
export function verifyCalls({ registryOf }: VerifyCallsDeps): Unary<VerifyCallsRequest, VerifyCallsResponse> {
  return (request) => {
    const registered = readRegistered(request.registered);
    const palette = parseOfferedPalette(request.palette);
    if (registered.kind === "invalid") return invalidRequest(registered.violations);
    if (palette.kind === "invalid") return invalidRequest(palette.violations);
    const registry = lookUp(registered.value, registryOf);
    if (registry.kind === "refusal") return registry;
    const { verdicts, ...rest } = verify(registry.value, palette.value, request.calls);
    const calls = verdicts.map(({ name, verdict }) => ({ name, verdict: inContract[verdict] }));
    return ok(create(VerifyCallsResponseSchema, { ...rest, calls }));
  };
}

const inContract: Readonly<Record<Verdict, CallVerdict>> = {
  offered: CallVerdict.OFFERED,
  excluded: CallVerdict.EXCLUDED,
  unregistered: CallVerdict.UNREGISTERED,
};
