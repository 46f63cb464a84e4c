import { writeFileSync } from "node:fs";
import { cpus } from "node:os";

/** One figure: a ratio of two things measured in the same run, and what it must not pass. */
export interface Figure {
  readonly name: string;
  /** One ratio a round. */
  readonly rounds: readonly number[];
  readonly bound: { readonly kind: "at most" | "at least"; readonly value: number };
  /** Where the measured amounts are told: absolute figures, for the reader only. */
  readonly note: string;
}

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Whether a figure keeps its bound. */
export function holds({ rounds, bound }: Figure): boolean {
  return bound.kind === "at most" ? median(rounds) <= bound.value : median(rounds) >= bound.value;
}

/** Draws the figures as bars: the bar's end is the ratio, the mark is its bound. */
export function draw(figures: readonly Figure[]): string {
  return figures.map(drawOne).join("\n");
}

const barWidth = 40;

function drawOne(figure: Figure): string {
  const ratio = median(figure.rounds);
  const scale = barWidth / Math.max(ratio, figure.bound.value);
  const length = Math.round(ratio * scale);
  const mark = Math.min(barWidth - 1, Math.round(figure.bound.value * scale));
  const cells = Array.from({ length: barWidth }, (_unused, index) =>
    index === mark ? "|" : index < length ? "█" : " ",
  );
  const verdict = holds(figure) ? "ok  " : "MISS";
  return `${verdict} ${cells.join("")} ${ratio.toFixed(2)} (${figure.bound.kind} ${figure.bound.value}) ${figure.name}`;
}

/** Writes the figures as a page, with the machine and the versions that they were measured on. */
export function writeResults(file: string, figures: readonly Figure[]): void {
  const rows = figures.map(
    (figure) =>
      `| ${figure.name} | ${median(figure.rounds).toFixed(2)} | ${Math.min(...figure.rounds).toFixed(2)} to ${Math.max(...figure.rounds).toFixed(2)} | ${figure.bound.kind} ${figure.bound.value} | ${holds(figure) ? "yes" : "no"} | ${figure.note} |`,
  );
  const page = `# Figures

Written by \`npm run bench\`. Each is a ratio of two things measured in turns in one run (median of the rounds), because machines differ and
are noisy; the absolute amounts are only for orientation.

Machine: ${cpus().length} x ${cpus()[0]?.model.trim()}, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.

| figure | ratio | rounds | bound | kept | amounts |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
  writeFileSync(file, page);
}
