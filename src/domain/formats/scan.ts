import type { Boundary } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { UnsafeBoundary_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import type { Facts } from "../outcome.ts";
import { worse } from "./causes.ts";
import type { Call, EntriesReading, Entry } from "./entry.ts";
import { type Pairing, pair } from "./pair.ts";
import { type Prefix, testedPrefixes } from "./prefixes.ts";
import { boundaryAt, proofOf } from "./proof.ts";

/** Where a document stands. */
export type Scan = AtBoundary | MidFrame;

/** At a tested kind of boundary whose proof is published. */
interface AtBoundary {
  readonly kind: "boundary";
  readonly boundary: Boundary;
}

/** Anywhere else. */
interface MidFrame {
  readonly kind: "midFrame";
  /** Without the ids of checkpoints and `replay_possible`: a scan does not know where the document is stored. */
  readonly unsafe: Facts<"unsafeBoundary">;
  /** The boundary at `last_safe_position`. `undefined`: no prefix is safe, not even the empty one. */
  readonly lastSafe: Boundary | undefined;
}

/** Pairs calls with results and finds the boundary. `published` holds the proofs that the support window publishes for this format. */
export function scan(reading: EntriesReading, published: ReadonlySet<string>): Scan {
  const { entries, format } = reading;
  const pairing = pair(entries);
  const tested = [...testedPrefixes(entries, pairing)];
  const safe = tested.findLast(({ kind }) => published.has(proofOf(format, kind)));
  const lastSafe = safe && boundaryAt(format, safe.kind, safe.entries);
  if (lastSafe !== undefined && lastSafe.entries === entries.length) return { kind: "boundary", boundary: lastSafe };
  const offence = firstProblem(entries, pairing) ?? openEnd(entries, tested.at(-1), lastSafe?.entries ?? 0);
  const calls = callLists(entries.slice(lastSafe?.entries ?? 0), pairing.answered);
  return { kind: "midFrame", unsafe: { ...offence, ...calls, ...lastSafePosition(lastSafe) }, lastSafe };
}

type Offence = Pick<Facts<"unsafeBoundary">, "cause" | "position" | "otherCauses">;

function firstProblem(entries: readonly Entry[], pairing: Pairing): Offence | undefined {
  const runningFrom = entries.findLastIndex((entry, at) => entry.endsTurn && entries[at + 1]?.author !== "model") + 1;
  const causes = entries.map((entry, at) => {
    const lost = entry.thinkingLost && at >= runningFrom ? Cause.THINKING_NOT_VERBATIM : undefined;
    return worse(worse(entry.problem, lost), worse(pairing.strays[at], pairing.unanswered[at]));
  });
  const position = causes.findIndex((cause) => cause !== undefined);
  const cause = causes[position];
  if (cause === undefined) return undefined;
  return { cause, position, otherCauses: causes.filter((other) => other !== undefined).length - 1 };
}

/** What is left to say where no entry has a problem: the turn waits for the model, or the document ends where nothing was tested. */
function openEnd(entries: readonly Entry[], tested: Prefix | undefined, from: number): Offence {
  const position = from < entries.length ? { position: from } : {};
  const endsTested = tested?.entries === entries.length && tested.kind !== "callsAnswered";
  const waits = entries.slice(from).some(({ author }) => author === "host" || author === "model");
  return { cause: waits && !endsTested ? Cause.TURN_OPEN : Cause.NO_TESTED_BOUNDARY, ...position };
}

function callLists(
  entries: readonly Entry[],
  answered: ReadonlySet<Call>,
): Pick<Facts<"unsafeBoundary">, "openCalls" | "completedCalls"> {
  const calls = entries.flatMap((entry) => entry.calls);
  const open = calls.filter((call) => !answered.has(call)).map(({ id }) => id);
  const completed = calls.filter((call) => answered.has(call) && !call.approval).map(({ id }) => id);
  return {
    openCalls: { names: open, total: open.length },
    completedCalls: { names: completed, total: completed.length },
  };
}

function lastSafePosition(lastSafe: Boundary | undefined): Pick<Facts<"unsafeBoundary">, "lastSafePosition"> {
  return lastSafe === undefined ? {} : { lastSafePosition: lastSafe.entries };
}
