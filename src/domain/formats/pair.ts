import { UnsafeBoundary_Cause as Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { worse } from "./causes.ts";
import type { Call, Entry, Result } from "./entry.ts";

/** The calls and results of a document, paired. Lists by position have a place for each entry. */
export interface Pairing {
  /** The calls that have a result in their block. A call is known by its object: ids come back. */
  readonly answered: ReadonlySet<Call>;
  /** The calls that the results of an entry answer, by position. */
  readonly answers: readonly (readonly Call[])[];
  /** Results without a call, by position: they are wrong in every prefix that holds them. */
  readonly strays: readonly (Cause | undefined)[];
  /** Calls without a result in their block, by position. */
  readonly unanswered: readonly (Cause | undefined)[];
  readonly standing: readonly Standing[];
}

/** How a block stands after one of its entries: what a prefix that ends there has, and what it leaves open. */
export interface Standing {
  readonly calls: number;
  readonly openCalls: number;
  readonly approvals: number;
  readonly openApprovals: number;
}

/** Pairs each call with the results of its own block, in order where calls share an id. Linear in calls and results. */
export function pair(entries: readonly Entry[]): Pairing {
  const answered = new Set<Call>();
  const answers: (readonly Call[])[] = [];
  const strays: (Cause | undefined)[] = [];
  const unanswered: (Cause | undefined)[] = [];
  const standing: Standing[] = [];
  let start = 0;
  while (start < entries.length) {
    const end = endOfBlock(entries, start);
    const paired = isQuiet(entries, start, end) ? QUIET : pairBlock(entries.slice(start, end));
    start = end;
    for (const calls of paired.answers) {
      answers.push(calls);
      for (const call of calls) answered.add(call);
    }
    for (const cause of paired.strays) strays.push(cause);
    for (const cause of paired.unanswered) unanswered.push(cause);
    for (const step of paired.standing) standing.push(step);
  }
  return { answered, answers, strays, unanswered, standing };
}

function endOfBlock(entries: readonly Entry[], start: number): number {
  const block = entries[start]?.block;
  let end = start + 1;
  while (end < entries.length && entries[end]?.block === block) end += 1;
  return end;
}

/** What a block adds to the pairing. */
type PairedBlock = Omit<Pairing, "answered">;

function isQuiet(entries: readonly Entry[], start: number, end: number): boolean {
  const entry = entries[start];
  return end === start + 1 && entry?.calls.length === 0 && entry.results.length === 0;
}

const NOTHING: Standing = { calls: 0, openCalls: 0, approvals: 0, openApprovals: 0 };

// Most blocks are one entry without calls and results.
const NO_CALLS: readonly Call[] = [];
const QUIET: PairedBlock = { answers: [NO_CALLS], strays: [undefined], unanswered: [undefined], standing: [NOTHING] };

/** The calls of a block that share an id; so many of them, from the first, are answered. */
interface Queue {
  readonly calls: Call[];
  answered: number;
}

function pairBlock(block: readonly Entry[]): PairedBlock {
  const queues = new Map<string, Queue>();
  const answers: (readonly Call[])[] = [];
  const strays: (Cause | undefined)[] = [];
  const standing: Standing[] = [];
  let now = NOTHING;
  for (const { results, calls } of block) {
    const answered: Call[] = [];
    let stray: Cause | undefined;
    for (const result of results) {
      const queue = queues.get(keyOf(result));
      const call = queue?.calls[queue.answered];
      if (queue === undefined || call === undefined) {
        stray = worse(stray, queue === undefined ? Cause.ORPHAN_TOOL_RESULT : Cause.DUPLICATE_TOOL_RESULT);
        continue;
      }
      queue.answered += 1;
      answered.push(call);
      now = close(now, call);
    }
    for (const call of calls) {
      const key = keyOf(call);
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, { calls: [call], answered: 0 });
      else queue.calls.push(call);
      now = open(now, call);
    }
    answers.push(answered.length === 0 ? NO_CALLS : answered);
    strays.push(stray);
    standing.push(now);
  }
  const isDone = now.openCalls === 0 && now.openApprovals === 0;
  const unanswered = isDone ? block.map(() => undefined) : judgeUnanswered(block, new Set(answers.flat()));
  return { answers, strays, unanswered, standing };
}

// NUL stands in no `pairs`, so two kinds never make one key, whatever the id holds.
function keyOf(side: Call | Result): string {
  return `${side.pairs}\0${side.id}`;
}

// Field by field: a spread costs as much as all the rest of a short block.
function open({ calls, openCalls, approvals, openApprovals }: Standing, call: Call): Standing {
  if (call.approval) return { calls, openCalls, approvals: approvals + 1, openApprovals: openApprovals + 1 };
  return { calls: calls + 1, openCalls: openCalls + 1, approvals, openApprovals };
}

function close({ calls, openCalls, approvals, openApprovals }: Standing, call: Call): Standing {
  if (call.approval) return { calls, openCalls, approvals, openApprovals: openApprovals - 1 };
  return { calls, openCalls: openCalls - 1, approvals, openApprovals };
}

// Each approval is a pause of its own. The other calls of a block are one problem, at the first that was not cut:
// a cut call has its cause already.
function judgeUnanswered(block: readonly Entry[], answered: ReadonlySet<Call>): (Cause | undefined)[] {
  const isOpen = (call: Call) => !answered.has(call);
  const first = block.findIndex(({ calls }) => calls.some((call) => isOpen(call) && !call.approval && !call.cut));
  const someAnswered = block.some(({ calls }) => calls.some((call) => !isOpen(call) && !call.approval));
  const cause = someAnswered ? Cause.PARALLEL_HALF_ANSWERED : Cause.DANGLING_TOOL_CALL;
  return block.map(({ calls }, at) => {
    const pause = calls.some((call) => isOpen(call) && call.approval) ? Cause.PENDING_APPROVAL : undefined;
    return worse(pause, at === first ? cause : undefined);
  });
}
