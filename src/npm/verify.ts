import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import {
  CallVerdict,
  type VerifyCallsResponse,
  VerifyCallsResponseSchema,
} from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { CallNotOffered, endingHere } from "./fermata-error.ts";
import { nameOf, type Resolution } from "./resolution.ts";

/** The answer, if every call was offered; a verdict that is not known is none. Throws CallNotOffered. */
export function offeredOnly(response: VerifyCallsResponse): VerifyCallsResponse {
  const refused = response.calls.filter(({ verdict }) => verdict !== CallVerdict.OFFERED);
  if (refused.length === 0) return response;
  const [excluded = [], unregistered = []] = [false, true].map((absent) =>
    refused.filter(({ verdict }) => (verdict === CallVerdict.UNREGISTERED) === absent).map(({ name }) => name),
  );
  const calls = [...excluded, ...unregistered];
  const detail = `this turn does not offer ${calls.join(", ")}: do not run it`;
  throw new CallNotOffered(endingHere(Code.FailedPrecondition, detail, { parents: ["CONTRACT_VIOLATION"] }), calls);
}

/** The same verdicts without the sidecar: all that they take is in the resolution. */
export function verifiedHere(resolution: Resolution, calls: readonly string[]): VerifyCallsResponse {
  const registered = new Set(resolution.registered.map(nameOf));
  const offered = new Set(resolution.offered);
  const verdictOn = (name: string) => {
    if (offered.has(name)) return CallVerdict.OFFERED;
    return registered.has(name) ? CallVerdict.EXCLUDED : CallVerdict.UNREGISTERED;
  };
  const forced = resolution.forcedTool;
  const forceSatisfied = forced !== undefined && calls.includes(forced);
  return create(VerifyCallsResponseSchema, {
    calls: calls.map((name) => ({ name, verdict: verdictOn(name) })),
    forceSatisfied,
    ok: calls.every((name) => offered.has(name)) && (forced === undefined || forceSatisfied),
  });
}
