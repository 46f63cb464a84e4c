/** One row as SQLite gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** A text of a row. What is missing or of another type means a damaged row: the caller's digest check would fail too. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

/** A whole number of a row. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  return typeof value === "number" ? value : 0;
}

/** The bytes of a row. */
export function bytes(row: Row, column: string): Uint8Array<ArrayBuffer> {
  const value = row[column];
  // node:sqlite gives each blob a buffer of its own, which is never shared.
  return value instanceof Uint8Array ? (value as Uint8Array<ArrayBuffer>) : new Uint8Array();
}

/** The value, or undefined where the column holds NULL. */
export function optional<T>(row: Row, column: string, read: (row: Row, column: string) => T): T | undefined {
  return row[column] === null || row[column] === undefined ? undefined : read(row, column);
}
