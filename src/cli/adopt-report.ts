import type { Refusal } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { exitCodes } from "./exit.ts";
import { bad, good, printable, quiet, strong } from "./style.ts";
import { entryFor } from "./taxonomy.ts";

/** What became of one row. */
export type RowEnd =
  | { readonly kind: "adopted"; readonly again: boolean; readonly quarantined: boolean }
  | { readonly kind: "refused"; readonly name: string; readonly code: number; readonly refusal: Refusal }
  | { readonly kind: "unreadable"; readonly name: string };

/** What became of all rows so far. Each is counted once, in `adopted`, `there_already`, `refused` or `unreadable`. */
export interface Report {
  readonly rows: number;
  readonly adopted: number;
  readonly there_already: number;
  /** Of those that are in the store: their keys do not prove a tenant. */
  readonly quarantined: number;
  readonly refused: Readonly<Record<string, Refused>>;
  readonly unreadable: Pick<Refused, "rows" | "examples">;
  /** What the command ends with: 0 when every row is in the store, else the largest code that one of the others has. */
  readonly exitCode: number;
}

interface Refused {
  readonly rows: number;
  readonly text: string;
  readonly examples: readonly string[];
}

const examplesShown = 5;

const empty: Report = {
  rows: 0,
  adopted: 0,
  there_already: 0,
  quarantined: 0,
  refused: {},
  unreadable: { rows: 0, examples: [] },
  exitCode: 0,
};

/** The report of these rows. */
export function reportOf(ends: readonly RowEnd[]): Report {
  return ends.reduce(taken, empty);
}

/** The report with one row more. */
export function taken(report: Report, end: RowEnd): Report {
  const next = { ...report, rows: report.rows + 1 };
  switch (end.kind) {
    case "adopted":
      return {
        ...next,
        adopted: report.adopted + (end.again ? 0 : 1),
        there_already: report.there_already + (end.again ? 1 : 0),
        quarantined: report.quarantined + (end.quarantined ? 1 : 0),
      };
    case "unreadable":
      return {
        ...next,
        unreadable: counted(report.unreadable, end.name),
        exitCode: Math.max(report.exitCode, exitCodes.usage),
      };
    case "refused": {
      const { reason, text } = nameOf(end.refusal);
      const sofar = report.refused[reason] ?? { rows: 0, text, examples: [] };
      const refused = { ...report.refused, [reason]: { text, ...counted(sofar, end.name) } };
      return { ...next, refused, exitCode: Math.max(report.exitCode, 8 + end.code) };
    }
  }
}

/** The report for a person. It names files, never keys or tenants: a quarantined key proves nobody. */
export function reportText(report: Report): string {
  const refusals = Object.entries(report.refused).map(([reason, { rows, text, examples }]) =>
    lines(rows, `refused: ${reason}`, [text, ...examples.map(printable)]),
  );
  const { rows, examples } = report.unreadable;
  const unreadable = rows === 0 ? "" : lines(rows, "not the JSON form of AdoptRequest", examples.map(printable));
  return [
    `${count(report.rows)} ${strong("rows")}\n`,
    `${count(report.adopted)} ${good("adopted")}\n`,
    `${count(report.there_already)} there already\n`,
    `${count(report.quarantined)} of them quarantined: readable and resumable by their exact keys; fermata attribute records an owner\n`,
    ...refusals,
    unreadable,
  ].join("");
}

function lines(rows: number, title: string, details: readonly string[]): string {
  return `${count(rows)} ${bad(title)}\n${details.map((detail) => `         ${quiet(detail)}\n`).join("")}`;
}

function count(rows: number): string {
  return String(rows).padStart(8);
}

function counted({ rows, examples }: Pick<Refused, "rows" | "examples">, name: string) {
  return { rows: rows + 1, examples: examples.length < examplesShown ? [...examples, name] : examples };
}

function nameOf({ leaf }: Refusal): { readonly reason: string; readonly text: string } {
  const entry = leaf.case === undefined ? undefined : entryFor(leaf);
  if (entry === undefined) return { reason: leaf.case ?? "unknown", text: "" };
  const reason = entry.cause === undefined ? entry.reason : `${entry.reason} ${entry.cause}`;
  return { reason, text: entry.advice };
}
