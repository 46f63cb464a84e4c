/** The known word that somebody most probably meant, or undefined if none is close enough to be worth saying. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((found) => found.distance <= Math.max(2, Math.floor(found.candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** How many characters to insert, remove or exchange to get from one word to the other. */
function distance(from: string, to: string): number {
  const start = Array.from({ length: to.length + 1 }, (_, column) => column);
  const last = Array.from(from).reduce((above, letter, row) => nextRow(above, letter, { to, row }), start);
  return last.at(-1) ?? 0;
}

function nextRow(
  above: readonly number[],
  letter: string,
  at: { readonly to: string; readonly row: number },
): number[] {
  const row = [at.row + 1];
  for (const [column, other] of Array.from(at.to).entries()) {
    const exchanged = cell(above, column) + (letter === other ? 0 : 1);
    row.push(Math.min(exchanged, cell(above, column + 1) + 1, cell(row, column) + 1));
  }
  return row;
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
