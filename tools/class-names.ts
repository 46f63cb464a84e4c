import type { Taxonomy } from "./taxonomy.ts";

/** The class of a leaf in the clients, and those above it, nearest first; the root of all has no reason and stands in none. */
export interface LeafClass {
  readonly reason: string;
  readonly name: string;
  readonly parents: readonly string[];
}

/** Names that the package before this one gave to its classes, where the reason alone does not make them. */
const inherited: Readonly<Record<string, string>> = {
  CONVERSATION: "ConversationServiceError",
  CONTRACT_VIOLATION: "ContractViolationError",
  HORIZON_EXPIRED: "ResumabilityHorizonExpiredError",
};

/**
 * One class for each reason of the taxonomy, parents before their children, alike in every client. What belongs to a conversation ends in
 * Error, as the package before this one had it; all else is called by its reason.
 */
export function leafClasses({ leaves }: Taxonomy): readonly LeafClass[] {
  const parentOf = new Map(leaves.map(({ reason, rule }) => [reason, rule.parent]));
  const lineage = (reason: string): readonly string[] => {
    const parent = parentOf.get(reason) ?? "";
    return parent === "" ? [] : [parent, ...lineage(parent)];
  };
  const reasons = new Set(leaves.flatMap(({ reason }) => [...lineage(reason).toReversed(), reason]));
  return [...reasons].map((reason) => ({ reason, name: className(reason, lineage(reason)), parents: lineage(reason) }));
}

function className(reason: string, parents: readonly string[]): string {
  return inherited[reason] ?? `${pascalCase(reason)}${parents.includes("CONVERSATION") ? "Error" : ""}`;
}

/** The name of the message that holds a leaf's facts. */
export function pascalCase(reason: string): string {
  return reason
    .toLowerCase()
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}
