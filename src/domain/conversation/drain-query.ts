import type { HoldScope } from "./hold.ts";

/** Which drain is read, and by which terms it was judged. */
export interface DrainQuery {
  readonly of: { readonly by: "hold"; readonly freezeId: string } | { readonly by: "scope"; readonly scope: HoldScope };
  readonly terms: string;
}

/** An artifact that nobody has judged by these terms, with where it is found. */
export interface Unjudged {
  readonly threadKey: string;
  readonly checkpointId: string;
}

/** Whether a replay can move an artifact: '', or the leaf that speaks against it. */
export interface DrainVerdict {
  readonly checkpointId: string;
  readonly leaf: string;
}
