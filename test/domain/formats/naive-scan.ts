import type { Call, Entry } from "../../../src/domain/formats/entry.ts";
import type { Verdict } from "./verdict.ts";

/** The kinds whose proofs are published. */
export type Published = readonly ("turn-complete" | "calls-answered" | "awaiting-input")[];

/**
 * The boundary rules read aloud, without a thought of speed: each question is asked of the whole list again, and the last safe prefix is
 * found by judging every prefix. What the scanner is compared with.
 */
export function naiveScan(entries: readonly Entry[], published: Published): Verdict {
  const stands = standing(entries, published);
  if (stands !== undefined) return { verdict: "SAFE", boundary: stands };
  const lastSafe = lastSafeOf(entries, published);
  const from = lastSafe ?? 0;
  const offenders = problems(entries).filter(({ cause }) => cause !== undefined);
  const later = entries
    .filter(({ position }) => position >= from)
    .flatMap((entry) => entry.calls.map((call) => ({ entry, call })));
  return {
    verdict: "UNSAFE",
    cause: offenders[0]?.cause ?? unfinished(entries, from),
    ...(offenders[0] === undefined
      ? from < entries.length
        ? { position: from }
        : {}
      : { position: offenders[0].position }),
    openCalls: later.filter(({ entry, call }) => !isAnswered(entries, entry, call)).map(({ call }) => call.id),
    completedCalls: later
      .filter(({ entry, call }) => !call.approval && isAnswered(entries, entry, call))
      .map(({ call }) => call.id),
    ...(lastSafe === undefined ? {} : { lastSafePosition: lastSafe }),
    ...(offenders.length > 1 ? { otherCauses: offenders.length - 1 } : {}),
  };
}

function lastSafeOf(entries: readonly Entry[], published: Published): number | undefined {
  for (let length = entries.length; length >= 0; length -= 1) {
    const inOneGo = entries[length - 1]?.author === "model" && entries[length]?.author === "model";
    if (!inOneGo && standing(entries.slice(0, length), published) !== undefined) return length;
  }
  return undefined;
}

function standing(entries: readonly Entry[], published: Published): string | undefined {
  const wrong = problems(entries).filter(({ cause }) => cause !== undefined);
  const last = entries.at(-1);
  const mates = entries.filter((entry) => entry.block === last?.block);
  if (wrong.length > 0) {
    const paused =
      entries.every((entry) => entry.calls.every((call) => call.approval || isAnswered(entries, entry, call))) &&
      wrong.every(
        ({ cause, position }) => cause === "PENDING_APPROVAL" && mates.some((mate) => mate.position === position),
      );
    return paused && published.includes("awaiting-input") ? "AWAITING_INPUT" : undefined;
  }
  if (published.includes("turn-complete")) {
    if (entries.every((entry) => entry.author === "system")) return "EMPTY";
    if (last?.endsTurn === true) return "TURN_COMPLETE";
  }
  const calls = mates.flatMap((mate) => mate.calls);
  const answered = !last?.endsTurn && last?.results.length && calls.length > 0 && calls.every((call) => !call.approval);
  return answered && published.includes("calls-answered") ? "CALLS_ANSWERED" : undefined;
}

function problems(entries: readonly Entry[]): { readonly position: number; readonly cause: string | undefined }[] {
  return entries.map((entry) => ({ position: entry.position, cause: causeOf(entries, entry) }));
}

const ORDER = [
  "THINKING_UNFINISHED",
  "THINKING_NOT_VERBATIM",
  "PENDING_APPROVAL",
  "DUPLICATE_TOOL_RESULT",
  "ORPHAN_TOOL_RESULT",
  "PARALLEL_HALF_ANSWERED",
  "DANGLING_TOOL_CALL",
];

// The one problem of an entry's own that the generator makes is THINKING_UNFINISHED.
function causeOf(entries: readonly Entry[], entry: Entry): string | undefined {
  const shown = [
    entry.problem !== undefined ? "THINKING_UNFINISHED" : undefined,
    entry.thinkingLost && isRunning(entries, entry) ? "THINKING_NOT_VERBATIM" : undefined,
    entry.calls.some((call) => call.approval && !isAnswered(entries, entry, call)) ? "PENDING_APPROVAL" : undefined,
    ...entry.results.map((_, at) => resultCause(entries, entry, at)),
    unansweredCause(entries, entry),
  ];
  return ORDER.find((cause) => shown.includes(cause));
}

function isRunning(entries: readonly Entry[], entry: Entry): boolean {
  return !entries.some(
    (later, at) => later.position >= entry.position && later.endsTurn && entries[at + 1]?.author !== "model",
  );
}

/** All calls and results of an entry's block in order; of one entry the results come first. */
function sides(entries: readonly Entry[], block: number) {
  const mates = entries.filter((mate) => mate.block === block);
  return mates.flatMap((mate) => [
    ...mate.results.map((result, at) => ({ mate, at, is: "result", id: result.id, pairs: result.pairs })),
    ...mate.calls.map((call, at) => ({ mate, at, is: "call", id: call.id, pairs: call.pairs })),
  ]);
}

// The k-th call of an id is answered if some result makes it the first open one: results are dealt out one by one.
function deal(entries: readonly Entry[], block: number) {
  const open: { mate: Entry; at: number; key: string }[] = [];
  const seen: string[] = [];
  const answered: { mate: Entry; at: number }[] = [];
  const stray: { mate: Entry; at: number; cause: string }[] = [];
  for (const { mate, at, is, id, pairs } of sides(entries, block)) {
    const key = JSON.stringify([pairs, id]);
    if (is === "call") {
      open.push({ mate, at, key });
      seen.push(key);
      continue;
    }
    const first = open.findIndex((call) => call.key === key);
    if (first >= 0) answered.push(...open.splice(first, 1));
    else stray.push({ mate, at, cause: seen.includes(key) ? "DUPLICATE_TOOL_RESULT" : "ORPHAN_TOOL_RESULT" });
  }
  return { answered, stray };
}

function isAnswered(entries: readonly Entry[], entry: Entry, call: Call): boolean {
  const { answered } = deal(entries, entry.block);
  return answered.some(({ mate, at }) => mate === entry && mate.calls[at] === call);
}

function resultCause(entries: readonly Entry[], entry: Entry, at: number): string | undefined {
  return deal(entries, entry.block).stray.find((result) => result.mate === entry && result.at === at)?.cause;
}

function unansweredCause(entries: readonly Entry[], entry: Entry): string | undefined {
  const mates = entries.filter((mate) => mate.block === entry.block);
  const calls = mates.flatMap((mate) => mate.calls.filter((call) => !call.approval).map((call) => ({ mate, call })));
  const first = calls.find(({ mate, call }) => !call.cut && !isAnswered(entries, mate, call));
  if (first?.mate !== entry) return undefined;
  return calls.some(({ mate, call }) => isAnswered(entries, mate, call))
    ? "PARALLEL_HALF_ANSWERED"
    : "DANGLING_TOOL_CALL";
}

function unfinished(entries: readonly Entry[], from: number): string {
  const last = entries.at(-1);
  const waits = entries.slice(from).some(({ author }) => author === "host" || author === "model");
  return waits && last?.endsTurn !== true ? "TURN_OPEN" : "NO_TESTED_BOUNDARY";
}
