import type {
  MissingPrerequisites,
  RetrievalFault,
  SkillQuery,
  SkillRow,
  SkillRows,
} from "../../gen/fermata/palette/v1/palette_pb.ts";
import { cutText } from "../short-text.ts";
import type { Registry } from "./registry.ts";

/** What a request says of its procedural layer: the oneof of the contract. */
export type Procedural =
  | { readonly case: "skills"; readonly value: SkillRows }
  | { readonly case: "query"; readonly value: SkillQuery }
  | { readonly case: "retrievalFailed"; readonly value: RetrievalFault }
  | { readonly case: "unavailable"; readonly value: MissingPrerequisites }
  | { readonly case: undefined; readonly value?: undefined };

/** What there is to route by, once everything that had to be asked was asked. */
export type Evidence =
  | { readonly kind: "no-layer" }
  | { readonly kind: "rows"; readonly rows: readonly SkillRow[] }
  | { readonly kind: "failed"; readonly faultType: string }
  | { readonly kind: "unavailable"; readonly missing: readonly string[] };

/** A question that the sidecar's skill store has to answer before there is evidence. */
export interface OpenQuery<S> {
  readonly kind: "query";
  readonly query: SkillQuery;
  readonly skillStore: S;
}

/** What the sidecar itself brings to routing. The store is only handed on: it is asked outside the domain. */
export interface Host<S> {
  readonly registry: Registry;
  readonly skillStore: S | undefined;
}

const defaultRows = 10;
const maxFaultBytes = 128;

/** Reads what to route by. A missing prerequisite goes before everything that the procedural layer said. */
export function readEvidence<S>(procedural: Procedural, host: Host<S>): Evidence | OpenQuery<S> {
  const missing = missingTools(host.registry);
  switch (procedural.case) {
    case undefined:
      return { kind: "no-layer" };
    case "unavailable":
      return unavailable([...procedural.value.missing, ...missing]);
    case "query":
      return readQuery(procedural.value, host);
    case "skills":
      return missing.length > 0 ? unavailable(missing) : { kind: "rows", rows: procedural.value.rows };
    case "retrievalFailed":
      return missing.length > 0 ? unavailable(missing) : failedRetrieval(procedural.value.type);
  }
}

/** Retrieval that ended without rows. Only the class of the fault is kept, cut to the length of a fact. */
export function failedRetrieval(faultType: string): Evidence {
  return { kind: "failed", faultType: cutText(faultType, maxFaultBytes) };
}

function readQuery<S>(query: SkillQuery, { registry, skillStore }: Host<S>): Evidence | OpenQuery<S> {
  const missing = [
    ...missingTools(registry),
    ...(skillStore === undefined ? ["skill_store"] : []),
    ...(query.tenantId === "" ? ["tenant_id"] : []),
  ];
  if (skillStore === undefined || missing.length > 0) return unavailable(missing);
  return { kind: "query", query: { ...query, limit: query.limit || defaultRows }, skillStore };
}

function missingTools({ tools }: Registry): readonly string[] {
  return tools.length === 0 ? ["registered_tools"] : [];
}

function unavailable(missing: readonly string[]): Evidence {
  return { kind: "unavailable", missing: [...new Set(missing)] };
}
