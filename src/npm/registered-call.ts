import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { RegistrySchema } from "../gen/fermata/palette/v1/palette_pb.ts";
import type { PaletteService, ResolveRequest } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { FermataError } from "./fermata-error.ts";
import type { RegisteredTool } from "./turn.ts";

/** The registry of a call: the tools themselves, or the digest under which the sidecar holds them. */
export type Registered = ResolveRequest["registered"];

const kept = 256;

/**
 * Calls by digest, and with the tools themselves where the sidecar does not hold them: at the first use, or after its restart. Whoever calls
 * never sees that they were not known.
 */
export function createRegisteredCall({ registerTools }: Pick<Client<typeof PaletteService>, "registerTools">) {
  const digests = new Map<string, Uint8Array>();
  return async <T>(tools: readonly RegisteredTool[], call: (registered: Registered) => Promise<T>): Promise<T> => {
    const named = tools.map(toTool);
    const key = JSON.stringify(named);
    const digest = digests.get(key);
    if (digest !== undefined) {
      try {
        return await call({ case: "registryDigest", value: digest });
      } catch (thrown) {
        if (!(thrown instanceof FermataError) || thrown.reason !== "REGISTRY_UNKNOWN") throw thrown;
        digests.delete(key);
      }
    }
    const registry = create(RegistrySchema, { tools: named });
    const answer = await call({ case: "registry", value: registry });
    try {
      if (digests.size >= kept) digests.clear();
      digests.set(key, (await registerTools({ registry })).registryDigest);
    } catch (thrown) {
      if (!(thrown instanceof FermataError)) throw thrown; // the answer is there: the next call tries to register again
    }
    return answer;
  };
}

function toTool(tool: RegisteredTool): { name: string; tags: string[] } {
  return typeof tool === "string" ? { name: tool, tags: [] } : { name: tool.name, tags: [...(tool.tags ?? [])] };
}
