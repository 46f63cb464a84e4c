import { hex, sha256 } from "../digest.ts";
import type { Instant } from "./stored.ts";
import type { SupportWindow } from "./support-window.ts";

/** Goes up when a newer binary judges documents in another way: then every verdict is asked for again. */
const JUDGE_VERSION = "1";

/** What a drain is judged by, at a moment. */
export interface DrainTerms {
  /** A digest: a verdict under other terms is none. */
  readonly terms: string;
  /** The formats that no replay is answered for any more. */
  readonly expired: readonly string[];
}

/** The terms of the window as it is published now. */
export function drainTerms({ formats, listed }: SupportWindow, now: Instant): DrainTerms {
  const published = [...formats.values()].map(({ format, boundaryProofs }) => [
    format,
    ...[...boundaryProofs].toSorted(),
  ]);
  const terms = hex(sha256("fermata/drain-terms/1", [JUDGE_VERSION, JSON.stringify([listed, published])]));
  const past = [...formats.values()].filter(({ end }) => end !== undefined && now >= end.replayUntil);
  return { terms, expired: past.map(({ format }) => format) };
}
