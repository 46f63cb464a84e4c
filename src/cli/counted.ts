/** So many of a thing, in words: 1 tool, 2 tools. */
export function counted(number: number | bigint, noun: string): string {
  return `${number} ${noun}${BigInt(number) === 1n ? "" : "s"}`;
}
