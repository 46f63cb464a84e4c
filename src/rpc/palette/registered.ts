import { type Outcome, ok, refuse } from "../../domain/outcome.ts";
import { parseRegistry, type Registry } from "../../domain/palette/registry.ts";
import { invalid, type Parsed, type Violation } from "../../domain/violation.ts";
import type { Registry as RegistryMessage } from "../../gen/fermata/palette/v1/palette_pb.ts";
import type { ResolveRequest } from "../../gen/fermata/palette/v1/palette_service_pb.ts";

/** The registry that RegisterTools kept under this digest; undefined when it is unknown or forgotten. */
export type RegistryOf = (digest: Uint8Array) => Registry | undefined;

/** The `registered` of a request: the registry itself, or a digest that stands for it. */
export type Registered = ResolveRequest["registered"];

/** A registry that came along and is proved, or a digest that nobody has looked up yet. */
export type RegistryRef =
  | { readonly kind: "inline"; readonly registry: Registry }
  | { readonly kind: "digest"; readonly digest: Uint8Array };

/** Reads what a request says is registered. Nothing is looked up: what is wrong with the request comes before what is unknown. */
export function readRegistered(registered: Registered): Parsed<RegistryRef> {
  switch (registered.case) {
    case undefined:
      return invalid([missing]);
    case "registryDigest":
      return ok({ kind: "digest", digest: registered.value });
    case "registry": {
      const parsed = proved.get(registered.value) ?? prove(registered.value);
      return parsed.kind === "ok" ? ok({ kind: "inline", registry: parsed.value }) : parsed;
    }
  }
}

/** What parseRegistry said of a message. The gRPC server hands on the same message where a host sends the same tools again. */
const proved = new WeakMap<RegistryMessage, Parsed<Registry>>();

function prove(message: RegistryMessage): Parsed<Registry> {
  const parsed = parseRegistry(message);
  proved.set(message, parsed);
  return parsed;
}

/** The registry that is meant, or REGISTRY_UNKNOWN: the client sends the registry and goes on. */
export function lookUp(ref: RegistryRef, registryOf: RegistryOf): Outcome<Registry> {
  if (ref.kind === "inline") return ok(ref.registry);
  const registry = registryOf(ref.digest);
  return registry === undefined ? refuse("registryUnknown", {}) : ok(registry);
}

const missing: Violation = {
  field: "registered",
  rule: "REQUIRED",
  description: "is not set; a registry or the digest of a registered one is needed",
};
