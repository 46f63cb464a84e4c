import type { Call, Result } from "./entry.ts";

/** What one block or part of a message is to the reading, whatever its format calls it. */
export type Piece =
  /** Something that the model says: text, media, a refusal. */
  | { readonly kind: "answer" }
  /** What the host says. */
  | { readonly kind: "input" }
  | { readonly kind: "system" }
  /** `verbatim`: it can go back to the provider as it came. */
  | { readonly kind: "thinking"; readonly verbatim: boolean }
  | { readonly kind: "call"; readonly call: Call }
  | { readonly kind: "result"; readonly result: Result }
  /** A call that the provider runs itself. One result with the same key is its own. */
  | { readonly kind: "providerCall"; readonly key: string; readonly cut: boolean }
  | { readonly kind: "providerResult"; readonly key: string }
  /** An empty text, a lone signature: it decides nothing. */
  | { readonly kind: "nothing" }
  /** A kind that no test covers; it might be a call. */
  | { readonly kind: "unknown" }
  /** A field that pairing needs is missing: the document is CORRUPT. */
  | { readonly kind: "unpairable" };

export const ANSWER: Piece = { kind: "answer" };
export const INPUT: Piece = { kind: "input" };
export const SYSTEM: Piece = { kind: "system" };
export const NOTHING: Piece = { kind: "nothing" };
export const UNKNOWN: Piece = { kind: "unknown" };
export const UNPAIRABLE: Piece = { kind: "unpairable" };
