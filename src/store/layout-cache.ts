import type { Layout } from "../domain/conversation/layout.ts";
import { payloadDigest } from "../domain/conversation/payload-digest.ts";
import { hex } from "../domain/digest.ts";
import { bounded } from "./bounded.ts";
import type { LaidOut, Stored } from "./ports.ts";

/** Reads stored bytes whose digest is known already. */
type Read<L> = (stored: Stored, digest: Uint8Array) => LaidOut<L>;

/** So many documents, and so many bytes of layouts: a thousandth of what the documents themselves take. */
const kept = { entries: 64, weight: 4 * 1024 * 1024 };

/**
 * Remembers how documents are laid out. Whoever pages through a transcript, or goes on with a replay that broke, asks
 * for the same one again and again. The bytes are digested each time, and the digest is the key: nothing stale is met.
 */
export function remembering<L extends Layout>(read: Read<L>): (stored: Stored) => LaidOut<L> {
  const layouts = bounded<LaidOut<L>>({ ...kept, weigh: ({ layout }) => weightOf(layout) });
  return (stored) => {
    const { bytes } = stored;
    const digest = payloadDigest(bytes);
    const key = keyOf(stored, digest);
    const known = layouts.get(key);
    if (known !== undefined) return { ...known, bytes };
    const laidOut = read(stored, digest);
    if (laidOut.opened === undefined) layouts.set(key, { ...laidOut, bytes: none });
    return laidOut;
  };
}

const none = new Uint8Array();

/** What was opened out of an envelope is not kept: it is as large as its document. The terms decide about the boundary. */
function keyOf({ kind, format, claimedProof, listed, published }: Stored, digest: Uint8Array): string {
  return JSON.stringify([hex(digest), kind, format, claimedProof ?? null, listed, [...published]]);
}

function weightOf(layout: Layout | undefined): number {
  return layout === undefined ? idWeight : layout.entries * entryWeight + layout.callIds.size * idWeight;
}

/** Spans, kind, zone or key of one entry; and ids, which are rare, at more than they usually take. */
const entryWeight = 48;
const idWeight = 256;
