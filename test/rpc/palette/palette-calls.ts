import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { type OperatorStage, parseOperatorStages } from "../../../src/domain/palette/operator-stages.ts";
import {
  type ResolveRequest,
  ResolveRequestSchema,
  type ResolveResponse,
  ResolveResponseSchema,
} from "../../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { registerTools } from "../../../src/rpc/palette/register-tools.ts";
import { resolve } from "../../../src/rpc/palette/resolve.ts";
import type { SkillStore } from "../../../src/rpc/palette/retrieval.ts";
import { verifyCalls } from "../../../src/rpc/palette/verify-calls.ts";
import { openRegistries } from "../../../src/store/registries.ts";
import { toStatus } from "../../../src/transport/status.ts";

/** How a test's PaletteService is composed. */
export interface Composition {
  readonly stages?: readonly OperatorStage[];
  readonly skillStore?: SkillStore;
}

/** The three RPCs over one set of registries, as the sidecar connects them. */
export function paletteService({ stages = [], ...skills }: Composition = {}) {
  const { find, keep } = openRegistries();
  const parsed = parseOperatorStages(stages);
  if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.violations));
  return {
    resolve: resolve({ registryOf: find, operatorStages: () => parsed.value, ...skills }),
    verifyCalls: verifyCalls({ registryOf: find }),
    registerTools: registerTools({ keep }),
  };
}

/** A call that has a second left. */
export function call(deadline = Date.now() + 1_000, signal = new AbortController().signal) {
  return { deadline, signal };
}

/** A Resolve request; tools by name. */
export function request(
  tools: readonly string[],
  init: MessageInitShape<typeof ResolveRequestSchema> = {},
): ResolveRequest {
  const registered = { case: "registry", value: { tools: tools.map((name) => ({ name })) } } as const;
  return create(ResolveRequestSchema, { registered, ...init });
}

/** The bytes that a caller would get: the answer's, or those of the status. */
export function bytesOf(outcome: Outcome<ResolveResponse>): string {
  const bytes = outcome.kind === "ok" ? toBinary(ResolveResponseSchema, outcome.value) : toStatus(outcome).bytes;
  return Buffer.from(bytes).toString("hex");
}

/** The request as it arrives, in an object of its own. */
export function arrived(sent: ResolveRequest): ResolveRequest {
  return fromBinary(ResolveRequestSchema, toBinary(ResolveRequestSchema, sent));
}
