import { create } from "@bufbuild/protobuf";
import { ok } from "../../domain/outcome.ts";
import { parseRegistry, type Registry } from "../../domain/palette/registry.ts";
import { invalidRequest } from "../../domain/violation.ts";
import {
  type RegisterToolsRequest,
  type RegisterToolsResponse,
  RegisterToolsResponseSchema,
} from "../../gen/fermata/palette/v1/palette_service_pb.ts";
import type { Unary } from "../rpc.ts";

/** What RegisterTools needs. */
export interface RegisterToolsDeps {
  readonly keep: (registry: Registry) => void;
}

/** Keeps a registry under its digest, so that later calls send 32 bytes. The same registry again is the same answer. */
export function registerTools({ keep }: RegisterToolsDeps): Unary<RegisterToolsRequest, RegisterToolsResponse> {
  return ({ registry }) => {
    if (registry === undefined) return invalidRequest([required]);
    const parsed = parseRegistry(registry);
    if (parsed.kind === "invalid") return invalidRequest(parsed.violations);
    keep(parsed.value);
    const { digest, tools } = parsed.value;
    return ok(create(RegisterToolsResponseSchema, { registryDigest: digest, tools: tools.length }));
  };
}

const required = { field: "registry", rule: "REQUIRED", description: "is not set; the registry to keep is needed" };
