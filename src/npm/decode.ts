import { Code, ConnectError } from "@connectrpc/connect";
import { type Refusal, RefusalSchema, RemedySchema } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import {
  type ErrorInfo,
  ErrorInfoSchema,
  type RetryInfo,
  RetryInfoSchema,
} from "../gen/google/rpc/error_details_pb.ts";
import { endingHere, FermataError, ForeignStatus, SidecarUnreachable, StatusMismatch } from "./fermata-error.ts";

/** The error of a call that ended, whatever the status holds. What is one of ours already stays as it is. */
export function decode(thrown: unknown): FermataError {
  if (thrown instanceof FermataError) return thrown;
  const error = ConnectError.from(thrown);
  const ending = { code: error.code, detail: error.rawMessage };
  if (isMismatching(error)) return new StatusMismatch(endingHere(ending.code, ending.detail), error);
  const info = error.findDetails(ErrorInfoSchema).find(({ domain, reason }) => domain === "fermata" && reason !== "");
  if (info === undefined) return foreign(error);
  const [refusal] = error.findDetails(RefusalSchema);
  const [delay] = error.findDetails(RetryInfoSchema);
  const told = {
    reason: info.reason,
    parents: (info.metadata["parents"] ?? "").split(",").filter((parent) => parent !== ""),
    remedy: remedyOf(info, refusal),
    metadata: info.metadata,
    refusal,
    retryDelay: millisecondsOf(delay),
  };
  return new FermataError(endingHere(ending.code, ending.detail, told), error);
}

/** The library goes by the code of the details; what the status itself says stands in its trailers. Connect has only one code. */
function isMismatching(error: ConnectError): boolean {
  const outer = error.metadata.get("grpc-status");
  return outer !== null && error.metadata.has("grpc-status-details-bin") && outer !== String(error.code);
}

function foreign(error: ConnectError): FermataError {
  const code = isOfTheSystem(error.cause) ? Code.Unavailable : error.code;
  const ending = endingHere(code, error.rawMessage);
  const unanswered = code === Code.Unavailable || code === Code.DeadlineExceeded;
  return unanswered ? new SidecarUnreachable(ending, error) : new ForeignStatus(ending, error);
}

/** A socket that is not there or broke: the library knows some of these and calls the others internal. */
function isOfTheSystem(cause: unknown): boolean {
  return cause instanceof Error && "syscall" in cause;
}

function remedyOf({ metadata }: ErrorInfo, refusal: Refusal | undefined): string {
  const told = metadata["remedy"] ?? "";
  if (told !== "" || refusal === undefined || refusal.remedy === 0) return told;
  return (RemedySchema.value[refusal.remedy]?.name ?? "").replace("REMEDY_", "");
}

function millisecondsOf(delay: RetryInfo | undefined): number | undefined {
  if (delay?.retryDelay === undefined) return undefined;
  return Number(delay.retryDelay.seconds) * 1000 + delay.retryDelay.nanos / 1e6;
}
