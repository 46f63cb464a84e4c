import type { Judged } from "../../domain/conversation/judge.ts";
import type { SupportWindow } from "../../domain/conversation/support-window.ts";
import type { Document } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";

/** A document with the terms of the support window as it is published now. */
export function judgedOf(
  document: Document | undefined,
  claimedProof: string | undefined,
  window: SupportWindow,
): Judged {
  const format = document?.format ?? "";
  const content = document?.content ?? { case: undefined };
  return { format, content, claimedProof, ...termsOf(format, window) };
}

/** What a document of this format is judged by. */
export function termsOf(format: string, { listed, formats }: SupportWindow): Pick<Judged, "listed" | "published"> {
  return { listed, published: formats.get(format)?.boundaryProofs ?? new Set() };
}
