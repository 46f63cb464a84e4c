import type { Entry } from "./entry.ts";
import type { Pairing, Standing } from "./pair.ts";
import type { TestedKind } from "./proof.ts";

/** So many leading entries that stand at a tested kind of boundary. */
export interface Prefix {
  readonly entries: number;
  readonly kind: TestedKind;
}

/**
 * Every prefix that stands at a tested kind, shortest first, whether its proof is published or not. Each is judged as a document of its own,
 * but never ends inside what the model says in one go. Linear: what is wrong in one prefix for good ends the walk.
 */
export function* testedPrefixes(entries: readonly Entry[], pairing: Pairing): Generator<Prefix> {
  let opening = true;
  let thinkingLost = false;
  for (let length = 0; length <= entries.length; length += 1) {
    const last = entries[length - 1];
    const next = entries[length];
    const standing = pairing.standing[length - 1];
    const goesOn = last?.author === "model" && next?.author === "model";
    opening &&= last === undefined || last.author === "system";
    thinkingLost = (thinkingLost || last?.thinkingLost === true) && !(last?.endsTurn === true && !goesOn);
    const kind = opening ? "empty" : kindAfter(last, standing, thinkingLost);
    if (kind !== undefined && !goesOn) yield { entries: length, kind };
    if (next === undefined || isWrong(next, pairing) || leavesOpen(last, next, standing)) return;
  }
}

function kindAfter(last: Entry | undefined, standing: Standing | undefined, lost: boolean): TestedKind | undefined {
  if (last === undefined || standing === undefined || standing.openCalls > 0) return undefined;
  if (standing.openApprovals > 0) return lost ? undefined : "awaitingInput";
  if (last.endsTurn) return "turnComplete";
  return !lost && hasAnsweredCalls(last, standing) ? "callsAnswered" : undefined;
}

// An approved call may have been run by the provider meanwhile: a block with an approval is no such boundary.
function hasAnsweredCalls(last: Entry, standing: Standing): boolean {
  return last.results.length > 0 && standing.calls > 0 && standing.approvals === 0;
}

function isWrong(entry: Entry, pairing: Pairing): boolean {
  return entry.problem !== undefined || pairing.strays[entry.position] !== undefined;
}

function leavesOpen(last: Entry | undefined, next: Entry, standing: Standing | undefined): boolean {
  if (last === undefined || standing === undefined || last.block === next.block) return false;
  return standing.openCalls > 0 || standing.openApprovals > 0;
}
