import type { Answer } from "../client.ts";
import type { EntriesReading, Entry } from "../domain/formats/entry.ts";
import { pair } from "../domain/formats/pair.ts";
import { testedPrefixes } from "../domain/formats/prefixes.ts";
import { readDocument } from "../domain/formats/read.ts";
import type { Document } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import type { JudgeResponse } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { EntryKind } from "../gen/fermata/conversation/v1/transcript_pb.ts";
import { bad, good, quiet } from "./style.ts";

/**
 * A document drawn as a strip: a letter for each entry, a bar at each tested boundary, the first offender marked below.
 * Of a long thread the beginning is left out. Nothing where its entries can't be read.
 */
export function drawStrip(format: string, content: Document["content"], answer: Answer<JudgeResponse>): string {
  const reading = readDocument(format, content, [format]);
  if (reading.kind !== "entries") return "";
  const offender = offenderOf(answer);
  const from = Math.max(
    0,
    Math.min(reading.entries.length - longest, (offender ?? reading.entries.length) - longest / 2),
  );
  const cells = cellsOf(reading, from);
  const left = from === 0 ? "" : `  ${quiet(`(${from} entries before)`)}\n`;
  const rows = chunked(cells, perRow).map((row, at) => rowText(row, from + at * perRow, offender));
  return `${left}${rows.join("")}\n${quiet(legend)}\n`;
}

interface Cell {
  readonly letter: string;
  /** A tested boundary stands behind it. */
  readonly ends: boolean;
}

const perRow = 32;
const longest = 4 * perRow;
const legend = "S system  U user  A assistant  C call  R result  T thinking  M mark   | tested boundary";

const letters: ReadonlyMap<EntryKind, string> = new Map([
  [EntryKind.SYSTEM, "S"],
  [EntryKind.USER, "U"],
  [EntryKind.ASSISTANT, "A"],
  [EntryKind.CALL, "C"],
  [EntryKind.RESULT, "R"],
  [EntryKind.REASONING, "T"],
  [EntryKind.MARK, "M"],
]);

function offenderOf(answer: Answer<JudgeResponse>): number | undefined {
  if (answer.kind === "ok" || answer.refusal?.leaf.case !== "unsafeBoundary") return undefined;
  return answer.refusal.leaf.value.position;
}

function cellsOf({ entries }: EntriesReading, from: number): readonly Cell[] {
  const ends = new Set([...testedPrefixes(entries, pair(entries))].map((prefix) => prefix.entries));
  return entries.slice(from).map((entry) => ({ letter: letterOf(entry), ends: ends.has(entry.position + 1) }));
}

function letterOf({ kind }: Entry): string {
  return letters.get(kind) ?? "?";
}

/** Each entry takes two columns, so the mark below stands under its letter. */
function rowText(cells: readonly Cell[], first: number, offender: number | undefined): string {
  const label = String(first).padStart(6);
  const strip = cells.map(({ letter, ends }) => `${letter}${ends ? good("|") : " "}`).join("");
  const column = offender === undefined ? -1 : offender - first;
  const marked = column >= 0 && column < perRow ? `${" ".repeat(8 + column * 2)}${bad(`^ ${offender}`)}\n` : "";
  return `${quiet(label)}  ${strip}\n${marked}`;
}

function chunked<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
