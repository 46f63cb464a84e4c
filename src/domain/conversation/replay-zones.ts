import { EntryKind, ReplayZone } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import type { Call, Entry } from "../formats/entry.ts";
import { type Pairing, pair } from "../formats/pair.ts";

/** What a host does with one entry of a replay, and the calls of it that may have run without leaving a result. */
export interface Zoned {
  readonly zone: ReplayZone;
  readonly inDoubt: readonly string[];
}

/** The zone of every entry, where so many leading ones are the prefix. */
export function zonesOf(entries: readonly Entry[], prefix: number): readonly Zoned[] {
  const pairing = pair(entries);
  return entries.map((entry, position) => (position < prefix ? TAKEN_OVER : zoneInTail(entry, pairing)));
}

const TAKEN_OVER: Zoned = { zone: ReplayZone.PREFIX, inDoubt: [] };

function zoneInTail(entry: Entry, { answered, answers }: Pairing): Zoned {
  const inDoubt = entry.calls.filter((call) => mayHaveRun(call) && !answered.has(call)).map(({ id }) => id);
  const happened = entry.calls.some((call) => answered.has(call) && !call.approval);
  if (happened || hasResults(answers[entry.position])) return { zone: ReplayZone.EVIDENCE, inDoubt };
  return { zone: isInput(entry) ? ReplayZone.RE_DRIVE : ReplayZone.VOID, inDoubt };
}

/** A call that was cut never left the model, and a request for an approval runs nothing by itself. */
function mayHaveRun({ cut, approval }: Call): boolean {
  return !cut && !approval;
}

/** What a person answered to a request for an approval is no result: a human's answer is never replayed. */
function hasResults(calls: readonly Call[] | undefined): boolean {
  return calls?.some(({ approval }) => !approval) ?? false;
}

function isInput({ author, kind }: Entry): boolean {
  return author === "host" && kind === EntryKind.USER;
}
