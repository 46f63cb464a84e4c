import type { ConversationStore, LaidOut } from "../../store/ports.ts";

/** The bytes of a laid out document from one byte up to another; at once, or when they have been read again. */
export type Parts = (from: number, to: number) => Uint8Array | Promise<Uint8Array>;

/** Where the parts come from that are not held. */
export interface PartSource {
  readonly store: Pick<ConversationStore, "part">;
  readonly checkpointId: string;
}

/**
 * Up to this size a document is held while its reader takes it: reading it again would cost more. A larger one is let
 * go but for the part that is sent first, so that readers who stop hold little, however large their documents are.
 */
const heldWhole = 1.5 * 1024 * 1024;

/** The parts of a document for one reader, of whom the first part is known. What was opened out of an envelope is always held. */
export function holdParts(
  source: PartSource,
  { bytes, opened }: Pick<LaidOut<unknown>, "bytes" | "opened">,
  first: { readonly from: number; readonly to: number },
): Parts {
  const whole = opened ?? (bytes.length <= heldWhole ? bytes : undefined);
  return whole === undefined ? partly(source, bytes.slice(first.from, first.to), first.from) : held(whole);
}

function held(whole: Uint8Array): Parts {
  return (from, to) => whole.subarray(from, to);
}

/** The part that came first is given once, and let go. */
function partly({ store, checkpointId }: PartSource, part: Uint8Array, offset: number): Parts {
  let kept: Uint8Array | undefined = part;
  return (from, to) => {
    const first = kept;
    kept = undefined;
    const covers = first !== undefined && from === offset && to === offset + first.length;
    return covers ? first : store.part({ checkpointId, from, to });
  };
}
