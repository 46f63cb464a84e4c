import { checkCount, type Violation } from "../violation.ts";
import type { Labels } from "./stage.ts";

/** The lists of a request that are only compared: how many members they have is all that can be wrong with them. */
export interface TurnLists {
  readonly rows: number;
  readonly alwaysOffer: readonly string[];
  readonly callsMade: readonly string[];
  readonly labels: Labels;
}

const maxRows = 10_000;
const maxNames = 1_024;
const maxLabels = 16;

/** What is too long in a request. */
export function turnLimitFaults({ rows, alwaysOffer, callsMade, labels }: TurnLists): readonly Violation[] {
  return [
    ...checkCount("skills.rows", rows, maxRows),
    ...checkCount("always_offer", alwaysOffer.length, maxNames),
    ...checkCount("calls_made", callsMade.length, maxNames),
    ...checkCount("labels", Object.keys(labels).length, maxLabels),
  ];
}
