const usualPage = 100;
const longestPage = 1000;

/** How many a page holds: the caller's wish up to 1,000, or 100. */
export function pageSize(wished: number): number {
  return wished === 0 ? usualPage : Math.min(wished, longestPage);
}

/** The token of the page after this place; none after the last. Opaque: its form may change with any version. */
export function tokenOf(place: number | undefined): string {
  return place === undefined ? "" : Buffer.from(`1:${place}`).toString("base64url");
}

/** The place that a token stands for; 0 for the first page, nothing for a text that is no token. */
export function placeOf(token: string): number | undefined {
  if (token === "") return 0;
  const [, place] = /^1:([1-9][0-9]{0,14})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  return place === undefined || tokenOf(Number(place)) !== token ? undefined : Number(place);
}
