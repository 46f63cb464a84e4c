import { create } from "@bufbuild/protobuf";
import {
  type Declined,
  DeclinedSchema,
  DeclineReason,
  type Routed,
  RoutedSchema,
  type Unavailable,
  UnavailableSchema,
} from "../../gen/fermata/palette/v1/palette_pb.ts";
import { listedNames } from "../name-sample.ts";
import type { Routing } from "./routing.ts";

/** How routing ended, as the contract says it. */
export type RoutingAnswer =
  | { readonly case: "routed"; readonly value: Routed }
  | { readonly case: "declined"; readonly value: Declined }
  | { readonly case: "unavailable"; readonly value: Unavailable };

/** Says how routing ended. The names of a routed turn stand in registry order and are only those that skills named. */
export function toRoutingAnswer(routing: Routing): RoutingAnswer {
  switch (routing.kind) {
    case "routed":
      return { case: "routed", value: toRouted(routing) };
    case "declined":
      return { case: "declined", value: toDeclined(routing) };
    case "unavailable":
      return { case: "unavailable", value: toUnavailable(routing.missing) };
  }
}

function toRouted({ tools, unresolved }: Extract<Routing, { kind: "routed" }>): Routed {
  const routed = create(RoutedSchema, { names: tools.map(({ name }) => name) });
  const listed = listedNames(unresolved);
  return listed === undefined ? routed : { ...routed, unresolved: listed };
}

function toDeclined(declined: Extract<Routing, { kind: "declined" }>): Declined {
  const answer = create(DeclinedSchema, declines[declined.reason]);
  if (declined.reason === "retrievalFailed") return { ...answer, faultType: declined.faultType };
  const listed = declined.reason === "noneResolved" ? listedNames(declined.unresolved) : undefined;
  return listed === undefined ? answer : { ...answer, unresolved: listed };
}

function toUnavailable(missing: readonly string[]): Unavailable {
  const aboutRouting = !missing.includes("registered_tools");
  return create(UnavailableSchema, { missing: [...missing], advice: aboutRouting ? advice : "" });
}

const declines = {
  noProceduralLayer: {
    reason: DeclineReason.NO_PROCEDURAL_LAYER,
    message: "The request names no procedural layer, so there is nothing to route by: every tool is offered.",
  },
  retrievalFailed: {
    reason: DeclineReason.RETRIEVAL_FAILED,
    message: "The skills could not be retrieved, which says nothing about the turn: every tool is offered.",
  },
  noSkills: {
    reason: DeclineReason.NO_SKILLS,
    message: "Retrieval found no skill for this turn: every tool is offered.",
  },
  allInactive: {
    reason: DeclineReason.ALL_INACTIVE,
    message: "All skills that retrieval found are turned off: every tool is offered.",
  },
  noneResolved: {
    reason: DeclineReason.NONE_RESOLVED,
    message: "No active skill names a registered tool: every tool is offered.",
  },
};

const advice =
  "Routing could not be tried, because this composition lacks what is missing. Provide it, or send no procedural layer; until then no answer " +
  "proves that routing works.";
